import { sendNotice } from "@/lib/chat/messages/notices.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type PendingBlob, pendingKeys, uploadKeys } from "@/lib/chat/organization/files/model.ts";
import type { FileViewer } from "@/lib/chat/messages/downloads.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { type Caller, isAdmin, isBot, notLoggedIn } from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin, listUsers } from "@/lib/chat/organization/users/store.ts";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { dropPending, settlePending } from "@/lib/chat/organization/pending_blobs.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { auditExport, type RequestedExportType, sendExportsEvent, toExport } from "./events.ts";
import {
  ARCHIVE_KEPT_MS,
  countMessages,
  countRecent,
  type ExportArchive,
  exportKeys,
  type ExportRecord,
  getExport,
  getExports,
  getLeased,
  type LeasedExport,
  MAX_EXPORTED_BYTES,
  MAX_EXPORTED_MESSAGES,
  MAX_RECENT_EXPORTS,
  newSecret,
  putExport,
  readExports,
  toArchiveName,
  toArchivePath,
} from "./store.ts";
import { listConsentingIds } from "@/lib/chat/people/user_settings/store.ts";

/** Lists the newest exports of an organization in API form, oldest first. */
export async function listExports(app: ChatApp, realm: RealmRecord) {
  const exports = await readExports(app, realm.id);
  return { exports: exports.map((each) => toExport({ app, realm }, each)) };
}

/** Lists for each user, also deactivated ones, whether they allow the export of their private data. */
export async function listExportConsents(app: ChatApp, realm: RealmRecord) {
  const [users, consenting] = await Promise.all([
    listUsers(app, realm.id),
    listConsentingIds(app, realm.id),
  ]);
  const people = users.filter((user) => !isBot(user));
  return {
    export_consents: await mapInSlices(people, ({ id }) => ({ user_id: id, consented: consenting.has(id) })),
  };
}

/**
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
  const id = await actAsAdmin(app, caller, async (context) => {
    const { tx, actingUser: actor } = context;
    const now = app.clock.now();
    const exports = await getExports(tx, realm.id);
    requireRecentLeft(exports, now);
    const record: ExportRecord = {
      id: await tx.nextId("export"),
      type,
      acting_user_id: actor.id,
      created_at: now,
      due_at: now,
      attempts: 0,
      lease: null,
      archive: null,
      failed_at: null,
      deleted_at: null,
    };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, record) });
    auditExport(context, { record, action: "export_created" });
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

export interface WrittenArchive {
  readonly pending: PendingBlob;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Completes an export in one commit with the message to the administrator who requested it.
 * @throws NoLongerDue when another process has taken over.
 */
export async function completeExport(
  app: ChatApp,
  leased: LeasedExport,
  { pending, size }: WrittenArchive,
): Promise<void> {
  const { realm, record } = leased;
  const name = toArchiveName(realm, record.created_at);
  const archive = { blob: pending.blob, size, name, secret: newSecret() };
  const url = `${realmUrl(app, realm)}${toArchivePath(realm.id, record, archive)}`;
  await endExport(app, leased, {
    text:
      `Your data export is complete. [Download the archive](${url}). It will be deleted after seven days.`,
    change: async (tx) => {
      await settlePending(tx, pending);
      return { archive, due_at: app.clock.now() + ARCHIVE_KEPT_MS };
    },
  });
}

/** Marks an export as failed, in one commit with the message to the administrator who requested it. */
export async function failExport(app: ChatApp, leased: LeasedExport): Promise<void> {
  await endExport(app, leased, {
    text: "Your data export failed. Ask the operator of the server for the reason, which is in its log.",
    change: () => Promise.resolve({ failed_at: app.clock.now(), due_at: null }),
  });
}

async function endExport(
  app: ChatApp,
  leased: LeasedExport,
  { text, change }: { text: string; change: (tx: Tx) => Promise<Partial<ExportRecord>> },
): Promise<void> {
  const { realm, actor } = leased;
  const claim = async (tx: Tx) => {
    const { exports, current } = await getLeased(tx, leased);
    const ended = { ...current, lease: null, ...await change(tx) };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, ended) });
  };
  const target = { kind: "direct", userIds: [actor.id] } as const;
  const sent = isBot(actor) ? null : await sendNotice(app, realm, { target, text, claim });
  // Without a message, the export ends all the same.
  if (sent === null) await transact(app.store, claim);
}

/**
 * @throws AppError BAD_REQUEST for an unknown export, and for one without an archive; UNAUTHORIZED_PRINCIPAL.
 */
export async function deleteExport(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { realm } = caller;
  const pending = await actAsAdmin(app, caller, async (context) => {
    const { tx } = context;
    const exports = await getExports(tx, realm.id);
    const record = getExport(exports, id);
    const { archive } = record;
    if (record.deleted_at !== null) throw new AppError("BAD_REQUEST", "Export already deleted");
    if (record.failed_at !== null) throw new AppError("BAD_REQUEST", "Export failed, nothing to delete");
    if (archive === null) throw new AppError("BAD_REQUEST", "Export still in progress");
    auditExport(context, { record, action: "export_deleted" });
    return removeArchive(app, tx, { realm, exports, record, archive });
  });
  await afterCommit(() => dropPending(app.store, pending));
}

/** Removes an archive and returns its bytes, to be removed after the commit, or by the sweeper. */
export function removeArchive(
  app: ChatApp,
  tx: Tx,
  { realm, exports, record, archive }: {
    realm: RealmRecord;
    exports: readonly ExportRecord[];
    record: ExportRecord;
    archive: ExportArchive;
  },
): PendingBlob {
  const now = app.clock.now();
  const deleted = { ...record, archive: null, deleted_at: now, due_at: null };
  sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, deleted) });
  const pending = { realm_id: realm.id, blob: archive.blob, started_at: now, place: exportKeys.place };
  tx.set(pendingKeys.pendingSince(pending), pending);
  return pending;
}

/**
 * @throws AppError NOT_FOUND, also in another organization and after its deletion; UNAUTHORIZED if not signed
 * in; UNAUTHORIZED_PRINCIPAL with status 403 for others.
 */
export async function getExportArchive(
  app: ChatApp,
  { realm, user }: FileViewer,
  { realmId, exportId, secret, name }: { realmId: string; exportId: string; secret: string; name: string },
): Promise<ExportArchive> {
  if (user === null) throw notLoggedIn();
  if (!isAdmin(user)) {
    const message = "You are not authorized to view this file.";
    throw new AppError("UNAUTHORIZED_PRINCIPAL", message, { status: 403 });
  }
  const exports = realmId === String(realm.id) ? await readExports(app, realm.id) : [];
  const archive = exports.find(({ id }) => String(id) === exportId)?.archive ?? null;
  const isFound = await equalSecrets(secret, archive?.secret ?? "") && archive?.name === name;
  if (archive === null || !isFound) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  return archive;
}
