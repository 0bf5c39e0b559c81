import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import { dropPending } from "../files/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getRealm, type RealmRecord } from "../organizations/model.ts";
import { isAdmin } from "../users/model.ts";
import { getUser } from "../users/store.ts";
import { writeArchive } from "./archive/write_archive.ts";
import { completeExport, failExport, removeArchive } from "./manage_exports.ts";
import { sendExportsEvent } from "./events.ts";
import {
  ExportLease,
  type ExportRecord,
  getExports,
  getLeased,
  isPending,
  LEASE_MS,
  type LeasedExport,
  MAX_ATTEMPTS,
  parseDueKey,
  putExport,
  RETRY_MS,
} from "./store.ts";

/**
 * Handles a due row: creates the archive of an export, or deletes an archive whose time is up.
 * @throws NoLongerDue when another process works on the export or an earlier one comes first, and when this process
 * is to stop; other errors after a failed attempt, which is repeated later.
 */
export async function runExport(app: ChatApp, key: Key, isStopped: () => boolean): Promise<void> {
  const { realmId } = parseDueKey(key);
  const leased = await transact(app.store, async (tx) => {
    const realm = await getRealm(tx, realmId);
    const exports = await getExports(tx, realmId);
    return await leaseExport(app, tx, { key, realm, exports });
  });
  if (leased === "expired") return await expireArchive(app, key);
  if (leased === null) throw new NoLongerDue();
  const { attempts } = leased.record;
  // An attempt that killed the process is counted as well.
  if (attempts > MAX_ATTEMPTS) return await failExport(app, leased);
  try {
    const lease = new ExportLease(app, leased, isStopped);
    await writeArchive(app, lease, (archive) => completeExport(app, leased, archive));
  } catch (error) {
    if (error instanceof NoLongerDue) await returnExport(app, leased, { attempts: attempts - 1, waitMs: 0 });
    else if (attempts >= MAX_ATTEMPTS) await failExport(app, leased);
    else await returnExport(app, leased, { attempts, waitMs: attempts * RETRY_MS });
    throw error;
  }
}

/** Reserves a due export for this process; returns null where it is not this process's turn. */
async function leaseExport(
  app: ChatApp,
  tx: Tx,
  { key, realm, exports }: { key: Key; realm: RealmRecord; exports: readonly ExportRecord[] },
): Promise<LeasedExport | "expired" | null> {
  const { time, id } = parseDueKey(key);
  const record = exports.find((each) => each.id === id);
  if (record === undefined || record.due_at !== time) {
    tx.delete(key);
    return null;
  }
  if (!isPending(record)) return "expired";
  // One export of an organization at a time, in the order of the requests.
  if (exports.some((each) => each.id < id && isPending(each))) return null;
  const actor = await getUser(tx, realm.id, record.acting_user_id);
  if (realm.is_deactivated || !actor.is_active || !isAdmin(actor)) {
    const failed = { ...record, failed_at: app.clock.now(), due_at: null };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, failed) });
    return null;
  }
  const leased = {
    ...record,
    attempts: record.attempts + 1,
    lease: crypto.randomUUID(),
    due_at: app.clock.now() + LEASE_MS,
  };
  putExport(tx, { realmId: realm.id, exports }, leased);
  return { realm, actor, record: leased };
}

async function expireArchive(app: ChatApp, key: Key): Promise<void> {
  const { realmId, id, time } = parseDueKey(key);
  const pending = await transact(app.store, async (tx) => {
    const exports = await getExports(tx, realmId);
    const record = exports.find((each) => each.id === id);
    if (record === undefined || record.archive === null || record.due_at !== time) throw new NoLongerDue();
    const realm = await getRealm(tx, realmId);
    return removeArchive(app, tx, { realm, exports, record, archive: record.archive });
  });
  await dropPending(app.store, pending);
}

/** Makes an export that is not complete due again, for any process; does nothing if another one has it. */
async function returnExport(
  app: ChatApp,
  leased: LeasedExport,
  { attempts, waitMs }: { attempts: number; waitMs: number },
): Promise<void> {
  try {
    await transact(app.store, async (tx) => {
      const { exports, current } = await getLeased(tx, leased);
      const due_at = app.clock.now() + waitMs;
      putExport(tx, { realmId: leased.realm.id, exports }, { ...current, attempts, lease: null, due_at });
    });
  } catch {
    // The earlier failure is the one to report; the reservation ends by itself.
  }
}
