import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, type Store } from "./open.ts";

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
