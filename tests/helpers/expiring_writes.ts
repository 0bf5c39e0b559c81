import { isExpiring, isStoreBound } from "@/lib/cli/transfer/expiring_entries.ts";
import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
import { type Key, keyText } from "@/lib/store/key.ts";

/** A write of an entry that expires. */
export interface ExpiringWrite {
  readonly key: Key;
  readonly value: unknown;
  /** Milliseconds. */
  readonly expireIn: number;
}

/**
 * Fails each write with an expiry whose keys lib/cli/transfer/expiring_entries.ts does not have, because copies of the
 * store would keep such entries for good. Returns the last write of each key.
 */
export function recordExpiringWrites(kv: Kv): ReadonlyMap<string, ExpiringWrite> {
  const writes = new Map<string, ExpiringWrite>();
  const record = (key: Key, value: unknown, options?: { expireIn?: number }) => {
    if (options?.expireIn === undefined) return;
    if (!isExpiring(key)) {
      throw new Error(
        `lib/cli/transfer/expiring_entries.ts lacks the family of ${keyText(key)}, which expires`,
      );
    }
    if (!isStoreBound(key)) writes.set(keyText(key), { key, value, expireIn: options.expireIn });
  };
  const [atomic, set] = [kv.atomic.bind(kv), kv.set.bind(kv)];
  const recordOperation = (operation: AtomicOperation) => {
    const setWithin = operation.set.bind(operation);
    return Object.assign(operation, {
      set(...sent: Parameters<AtomicOperation["set"]>) {
        record(...sent);
        setWithin(...sent);
        return operation;
      },
    });
  };
  Object.assign(kv, {
    atomic: () => recordOperation(atomic()),
    set(...sent: Parameters<Kv["set"]>) {
      record(...sent);
      return set(...sent);
    },
  });
  return writes;
}
