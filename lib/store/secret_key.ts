import type { Store } from "./open.ts";
import { transact } from "./transact.ts";

const KEY = ["secret_key"];
const BYTES = 32;

/**
 * Returns the secret that the store generated for itself: 32 random bytes, the same for every server on it.
 */
export function readOrMakeSecretKey(store: Store): Promise<Uint8Array> {
  return transact(store, async (tx) => {
    const found = await tx.get<Uint8Array>(KEY);
    if (found !== null) return found;
    const made = crypto.getRandomValues(new Uint8Array(BYTES));
    tx.set(KEY, made);
    return made;
  });
}
