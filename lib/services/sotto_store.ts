import { migrate } from "../store/migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openStore, type Store } from "../store/open.ts";

/**
 * Opens the store and migrates it to this version.
 * @throws StoreError when it is damaged, cannot be opened, or was written by a newer version.
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
