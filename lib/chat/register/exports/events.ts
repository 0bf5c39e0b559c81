import { z } from "zod";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { described, textOrJson, withDefault } from "@/lib/chat/organization/params/param.ts";
import { toSeconds } from "@/lib/core/clock.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { EXPORT_TYPES, type ExportRecord, type ExportType, isPending, toArchivePath } from "./store.ts";

/** An extent that a client may ask for, of which the last is refused. */
export type RequestedExportType = ExportType | "full_without_consent";

/** The extents by the numbers that older clients send. */
const BY_NUMBER = { 1: "public", 2: "full_with_consent" } as const;

const exportTypeSchema: z.ZodType<RequestedExportType | 1 | 2> = z.literal([
  ...EXPORT_TYPES,
  "full_without_consent",
  1,
  2,
]);

export const createExportParams = {
  export_type: described(
    withDefault(textOrJson(exportTypeSchema), "public"),
    "`public`: what every member can read; `full_with_consent`: also what users who allow it can read. " +
      "`full_without_consent` is refused. Older clients send 1 or 2 for the first two.",
  ),
};

export function parseExportType(sent: RequestedExportType | 1 | 2): RequestedExportType {
  return typeof sent === "number" ? BY_NUMBER[sent] : sent;
}

export const createdExportSchema = z.object({ id: z.int() });

const exportSchema = z.object({
  id: z.int(),
  acting_user_id: z.int(),
  export_time: z.int().meta({ description: "Time of the request in seconds since 1970 UTC." }),
  deleted_timestamp: z.int().nullable().meta({ description: "Seconds since 1970 UTC." }),
  failed_timestamp: z.int().nullable().meta({ description: "Seconds since 1970 UTC." }),
  export_url: z.string().nullable().meta({
    description:
      "Address of the archive, for administrators; null before it is complete and after its deletion.",
  }),
  pending: z.boolean(),
  export_type: z.enum(EXPORT_TYPES),
}).meta({ id: "DataExport" });

export const exportsSchema = z.object({ exports: z.array(exportSchema) });

/** Response of listing who allows the export of their private data. */
export const exportConsentsSchema = z.object({
  export_consents: z.array(z.object({ user_id: z.int(), consented: z.boolean() })),
});

export function toExport(
  { app, realm }: { readonly app: Pick<ChatApp, "config">; readonly realm: RealmRecord },
  record: ExportRecord,
) {
  const { id, acting_user_id, created_at, deleted_at, failed_at, archive, type } = record;
  return {
    id,
    acting_user_id,
    export_time: toSeconds(created_at),
    deleted_timestamp: deleted_at === null ? null : toSeconds(deleted_at),
    failed_timestamp: failed_at === null ? null : toSeconds(failed_at),
    export_url: archive === null
      ? null
      : `${realmUrl(app, realm)}${toArchivePath(realm.id, record, archive)}`,
    pending: isPending(record),
    export_type: type,
  };
}

/** Sends administrators the exports of an organization after a change. */
export function sendExportsEvent(
  app: Pick<ChatApp, "config" | "clock">,
  tx: Tx,
  { realm, exports }: { readonly realm: RealmRecord; readonly exports: readonly ExportRecord[] },
): void {
  const event = { type: "realm_export", exports: exports.map((each) => toExport({ app, realm }, each)) };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: "admins" });
}

/** Records in the audit log that an administrator created or deleted an export. */
export function auditExport(
  context: ActionContext,
  { record, action }: { record: ExportRecord; action: "export_created" | "export_deleted" },
): void {
  const target = { kind: "export", id: record.id, name: String(record.id) } as const;
  const details = { export_type: record.type };
  auditAction(context, { action, target, details });
}
