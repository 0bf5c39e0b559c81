import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { Caller } from "../users/caller.ts";
import type { FolderRecord } from "./folder.ts";

/** Who changes folders, and when. */
interface FolderNoter extends Caller {
  readonly app: Pick<ChatApp, "clock">;
}

/** What somebody did to a folder; to all of them where the id is 0. */
interface NotedFolder {
  readonly folder: Pick<FolderRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
}

/** Notes in the audit log what somebody did to a folder. */
export function noteFolder(
  tx: Tx,
  { app, realm, actingUser }: FolderNoter,
  { folder: { id, name }, action, details = {} }: NotedFolder,
): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "folder", id, name },
    details,
  });
}

/** Notes what is other about a folder than before. */
export function noteFolderUpdate(
  tx: Tx,
  noter: FolderNoter,
  { before, after: folder }: { before: FolderRecord; after: FolderRecord },
): void {
  if (before.is_archived !== folder.is_archived) {
    noteFolder(tx, noter, { folder, action: folder.is_archived ? "folder_archived" : "folder_restored" });
  }
  const details = differencesOf(before, folder, ["name", "description"]);
  if (Object.keys(details).length > 0) noteFolder(tx, noter, { folder, action: "folder_changed", details });
}
