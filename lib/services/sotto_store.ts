import { migrate } from "@/lib/store/migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { StartSpan } from "@/lib/store/database.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { transact } from "@/lib/store/transact.ts";
import { type Clock, dayOf } from "@/lib/core/clock.ts";
import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, readRecord, toValue } from "@/lib/store/key.ts";

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

/** Sizes of the store's file at the end of each day, by whole days since 1970 UTC. */
const SIZES: Key = ["store_size"];

/** Returns the size of the store's file with its -wal file in bytes; null for a store without a file. */
export async function readStoreSize({ path }: Pick<Store, "path">): Promise<number | null> {
  if (path === null) return null;
  const sizes = await Promise.all([path, `${path}-wal`].map(readFileSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readFileSize(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    // The -wal file exists only while the store is open.
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

/** Lists the stored sizes of days from `from` to `to`, in order; days without one are missing. */
export async function listStoreSizes(
  { kv }: Pick<Store, "kv">,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly { readonly day: number; readonly bytes: number }[]> {
  const range = { start: [...SIZES, from], end: [...SIZES, to + 1] };
  return await Array.fromAsync(
    kv.list<number>(range),
    ({ key, value }) => ({ day: toValue<number>(key.at(-1)), bytes: value }),
  );
}

/** Creates the worker that stores the size of the store's file; the last one of each day stays. */
export function createStoreSizeSampler(
  store: Store,
  { clock, report }: { readonly clock: Clock; readonly report: (error: unknown) => void },
): Worker {
  return createWorker(async () => {
    const bytes = await readStoreSize(store);
    if (bytes === null) return 0;
    await store.kv.set([...SIZES, dayOf(clock.now())], bytes);
    return 1;
  }, { ...HOURLY, report });
}

const BACKUP_TIME: Key = ["backup_made"];

/** Reads the time of the store's last backup, in milliseconds since 1970 UTC; null before the first. */
export function readBackupTime(kv: Kv): Promise<number | null> {
  return readRecord<number>(kv, BACKUP_TIME);
}

/** Records in the store that it was backed up at a time, in milliseconds since 1970 UTC. */
export async function recordBackupTime(kv: Kv, time: number): Promise<void> {
  await kv.set(BACKUP_TIME, time);
}
