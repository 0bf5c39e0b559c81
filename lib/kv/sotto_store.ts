import { migrate, type Migration } from "./migrate.ts";
import { openStore, type Store } from "./open.ts";

/** The steps from each version of the stored shape to the next; there is one version so far. */
const MIGRATIONS: readonly Migration[] = [];

/**
 * Opens the store and brings it to this version's shape.
 * @throws StoreError when it is damaged, cannot be opened, or was written by a newer Sotto.
 */
export async function openSottoStore(location: string | null): Promise<Store> {
  const store = await openStore(location);
  try {
    await migrate(store, MIGRATIONS);
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}
