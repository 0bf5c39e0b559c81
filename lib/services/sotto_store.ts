import { migrate } from "../store/migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { StartSpan } from "../store/database.ts";
import { openStore, type Store } from "../store/open.ts";

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
