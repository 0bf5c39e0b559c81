import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserEventContext } from "../users/events.ts";
import { toExport } from "./api.ts";
import type { ExportRecord } from "./model.ts";

/** Sends administrators the exports of an organization after a change. */
export function sendExportsEvent(
  app: Pick<ChatApp, "config" | "clock">,
  tx: Tx,
  { realm, exports }: { readonly realm: RealmRecord; readonly exports: readonly ExportRecord[] },
): void {
  const event = { type: "realm_export", exports: exports.map((each) => toExport({ app, realm }, each)) };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: "admins" });
}

/** Sends administrators whether a user allows the export of their private data. */
export function sendExportConsentEvent(
  tx: Tx,
  { realm, user, now }: UserEventContext,
  consented: boolean,
): void {
  const event = { type: "realm_export_consent", user_id: user.id, consented };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: "admins" });
}

/** Records in the audit log that an administrator created or deleted an export; `now` in milliseconds. */
export function auditExport(
  tx: Tx,
  { realmId, now, actingUserId }: { realmId: number; now: number; actingUserId: number },
  { record, action }: { record: ExportRecord; action: "export_created" | "export_deleted" },
): void {
  const target = { kind: "export", id: record.id, name: String(record.id) } as const;
  const details = { export_type: record.type };
  recordAudit(tx, { realmId, now }, { acting_user_id: actingUserId, action, target, details });
}
