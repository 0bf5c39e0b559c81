import { migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { StartSpan } from "@/lib/store/database.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";

const SECRET_KEY = ["secret_key"];
const SECRET_BYTES = 32;

/**
 * Opens the store, whose calls are traced with `startSpan`, and migrates it to this version.
 * @throws StoreError when it is damaged, cannot be opened, or was written by a newer version.
 */
export async function openSottoStore(location: string | null, startSpan?: StartSpan): Promise<Store> {
  const store = await openStore(location, startSpan);
  try {
    await migrate(store, MIGRATIONS);
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

/** Returns the secret that the store generated for itself: random bytes, the same for every server on it. */
export function readOrMakeSecretKey(store: Store): Promise<Uint8Array> {
  return transact(store, async (tx) => {
    const found = await tx.get<Uint8Array>(SECRET_KEY);
    if (found !== null) return found;
    const made = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    tx.set(SECRET_KEY, made);
    return made;
  });
}
