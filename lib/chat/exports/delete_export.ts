import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/after_commit.ts";
import { type PendingBlob, pendingKeys } from "../files/model.ts";
import { dropPending } from "../files/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { auditExport, sendExportsEvent } from "./events.ts";
import { type ExportArchive, exportKeys, type ExportRecord } from "./model.ts";
import { getExport, getExports, putExport } from "./store.ts";

/**
 * Deletes the archive of an export.
 * @throws AppError BAD_REQUEST for an unknown export, and for one without an archive; UNAUTHORIZED_PRINCIPAL.
 */
export async function deleteExport(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { realm } = caller;
  const pending = await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const exports = await getExports(tx, realm.id);
    const record = getExport(exports, id);
    const archive = requireArchive(record);
    const at = { realmId: realm.id, now: app.clock.now(), actingUserId: actor.id };
    auditExport(tx, at, { record, action: "export_deleted" });
    return removeArchive(app, tx, { realm, exports, record, archive });
  });
  await afterCommit(() => dropPending(app.store, pending));
}

function requireArchive({ archive, failed_at, deleted_at }: ExportRecord): ExportArchive {
  if (deleted_at !== null) throw new AppError("BAD_REQUEST", "Export already deleted");
  if (failed_at !== null) throw new AppError("BAD_REQUEST", "Export failed, nothing to delete");
  if (archive === null) throw new AppError("BAD_REQUEST", "Export still in progress");
  return archive;
}

/** An export whose archive is removed, among those of its organization. */
export interface ArchiveRemoval {
  readonly realm: RealmRecord;
  readonly exports: readonly ExportRecord[];
  readonly record: ExportRecord;
  readonly archive: ExportArchive;
}

/**
 * Removes the archive of an export and sends the event. Returns its bytes, to be removed after the commit; the
 * sweeper removes them otherwise.
 */
export function removeArchive(
  app: ChatApp,
  tx: Tx,
  { realm, exports, record, archive }: ArchiveRemoval,
): PendingBlob {
  const now = app.clock.now();
  const deleted = { ...record, archive: null, deleted_at: now, due_at: null };
  sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, deleted) });
  const pending = { realm_id: realm.id, blob: archive.blob, started_at: now, place: exportKeys.place };
  tx.set(pendingKeys.pendingSince(pending), pending);
  return pending;
}
