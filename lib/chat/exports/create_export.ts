import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { uploadKeys } from "../files/model.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import type { RequestedExportType } from "./api.ts";
import { auditExport, sendExportsEvent } from "./events.ts";
import {
  countRecent,
  type ExportRecord,
  MAX_EXPORTED_BYTES,
  MAX_EXPORTED_MESSAGES,
  MAX_RECENT_EXPORTS,
} from "./model.ts";
import { countMessages, getExports, putExport, readExports } from "./store.ts";

/**
 * Requests a data export, which the background worker creates, and returns its id.
 * @throws AppError BAD_REQUEST for too many exports, a large organization, or an extent that is not offered;
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function createExport(
  app: ChatApp,
  caller: Caller,
  type: RequestedExportType,
): Promise<{ readonly id: number }> {
  if (type === "full_without_consent") {
    throw new AppError("BAD_REQUEST", "Private data is exported only of users who allow it.");
  }
  const { realm } = caller;
  requireRecentLeft(await readExports(app, realm.id), app.clock.now());
  await requireExportableSize(app, realm.id);
  const id = await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const now = app.clock.now();
    const exports = await getExports(tx, realm.id);
    requireRecentLeft(exports, now);
    const record: ExportRecord = {
      ...{ id: await tx.nextId("export"), type, acting_user_id: actor.id, created_at: now, due_at: now },
      ...{ attempts: 0, lease: null, archive: null, failed_at: null, deleted_at: null },
    };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, record) });
    const at = { realmId: realm.id, now, actingUserId: actor.id };
    auditExport(tx, at, { record, action: "export_created" });
    return record.id;
  });
  app.wakeExports();
  return { id };
}

function requireRecentLeft(exports: readonly ExportRecord[], now: number): void {
  if (countRecent(exports, now) >= MAX_RECENT_EXPORTS) {
    throw new AppError("BAD_REQUEST", "Exceeded rate limit.");
  }
}

async function requireExportableSize(app: ChatApp, realmId: number): Promise<void> {
  const bytes = await app.reads.read<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  const isLarge = bytes > MAX_EXPORTED_BYTES ||
    await countMessages(app, realmId, MAX_EXPORTED_MESSAGES + 1) > MAX_EXPORTED_MESSAGES;
  if (!isLarge) return;
  throw new AppError(
    "BAD_REQUEST",
    "The organization is too large for a data export: it has more than 250,000 messages or 10 GiB of files. " +
      "Ask the operator of the server for a copy that `admin backup` makes.",
  );
}
