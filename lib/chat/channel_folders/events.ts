import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
} from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import type { Caller } from "../users/model.ts";
import type { ChannelFolderRecord } from "./model.ts";
import { sendEvent } from "../events/send_events.ts";

/** The acting user, their organization and the clock. */
interface FolderAuditContext extends Caller {
  readonly app: Pick<ChatApp, "clock">;
}

/** An action on a folder for the audit log; id 0 stands for all folders. */
interface FolderAuditEntry {
  readonly folder: Pick<ChannelFolderRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
  readonly values?: AuditValues | undefined;
}

/** Records an action on a folder in the audit log. */
export function auditChannelFolder(
  tx: Tx,
  { app, realm, actingUser }: FolderAuditContext,
  { folder: { id, name }, action, details = {}, values }: FolderAuditEntry,
): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actingUser.id,
    action,
    target: { kind: "folder", id, name },
    details,
    values,
  });
}

/** Records the differences of a folder update in the audit log. */
export function auditChannelFolderUpdate(
  tx: Tx,
  context: FolderAuditContext,
  { before, after: folder }: { before: ChannelFolderRecord; after: ChannelFolderRecord },
): void {
  if (before.is_archived !== folder.is_archived) {
    auditChannelFolder(tx, context, {
      folder,
      action: folder.is_archived ? "folder_archived" : "folder_restored",
      values: diffValues(before, folder, ["is_archived"]),
    });
  }
  const details = diffDetails(before, folder, ["name", "description"]);
  if (Object.keys(details).length > 0) {
    const values = diffValues(before, folder, ["name", "description"]);
    auditChannelFolder(tx, context, { folder, action: "folder_changed", details, values });
  }
}

/** Sends an event on folders to everyone; `now` is in milliseconds. */
export function sendChannelFolderEvent(
  tx: Tx,
  at: { realmId: number; now: number },
  content: { readonly op: string; readonly [member: string]: unknown },
): void {
  sendEvent(tx, at, { event: { type: "channel_folder", ...content }, audience: "everyone" });
}
