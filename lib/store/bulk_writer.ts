import { type AtomicOperation, COMMIT_BUDGET, type Kv } from "./kv.ts";
import type { Key } from "./key.ts";
import { retryLocked } from "./retry.ts";

/** Commits an operation durably, possibly with additions. */
type CommitBulk = (atomic: AtomicOperation) => Promise<unknown>;

/** Collects independent writes into commits as large as the store takes. */
export class BulkWriter {
  readonly #kv: Kv;
  readonly #commit: CommitBulk;
  #atomic: AtomicOperation;
  #writes = 0;
  #bytes = 0;
  #keyBytes = 0;

  constructor(kv: Kv, commit: CommitBulk = (atomic) => retryLocked(() => atomic.commit())) {
    this.#kv = kv;
    this.#commit = commit;
    this.#atomic = kv.atomic();
  }

  /** `bytes` is the maximum size of the value, where that is large. */
  async set(key: Key, value: unknown, bytes = 0): Promise<void> {
    await this.#makeRoom(key, bytes);
    this.#atomic.set(key, value);
  }

  /** Writes an entry that the store may drop after `expireIn` milliseconds. */
  async setExpiring(
    key: Key,
    value: unknown,
    { bytes, expireIn }: { readonly bytes: number; readonly expireIn: number },
  ): Promise<void> {
    await this.#makeRoom(key, bytes);
    this.#atomic.set(key, value, { expireIn });
  }

  async delete(key: Key): Promise<void> {
    await this.#makeRoom(key, 0);
    this.#atomic.delete(key);
  }

  /** Commits the remaining writes; call it after the last write. */
  async flush(): Promise<void> {
    if (this.#writes === 0) return;
    await this.#commit(this.#atomic);
    this.#atomic = this.#kv.atomic();
    this.#writes = this.#bytes = this.#keyBytes = 0;
  }

  async #makeRoom(key: Key, valueBytes: number): Promise<void> {
    const keyBytes = key.reduce<number>((sum, part) => sum + bytesOf(part), 0);
    const hasRoom = this.#writes < COMMIT_BUDGET.writes &&
      this.#keyBytes + keyBytes <= COMMIT_BUDGET.keyBytes &&
      this.#bytes + keyBytes + valueBytes <= COMMIT_BUDGET.bytes;
    if (!hasRoom) await this.flush();
    this.#writes++;
    this.#keyBytes += keyBytes;
    this.#bytes += keyBytes + valueBytes;
  }
}

/** An upper bound: a unit of a text takes up to three bytes, and ends and zeros are marked. */
function bytesOf(part: Deno.KvKeyPart): number {
  if (typeof part === "string") return 2 + 3 * part.length;
  if (part instanceof Uint8Array) return 2 + 2 * part.length;
  return typeof part === "bigint" ? 2 + part.toString(16).length : 9;
}
