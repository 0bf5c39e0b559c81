import { listIds } from "@/lib/store/reads.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  type AccountReservations,
  MIB,
  type ReservationId,
  type ReservationRecord,
  toAttachment,
  uploadKeys,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";

/** Maximum number of unfinished resumable uploads of one account. */
const MAX_UNFINISHED = 100;
/** Number of files of the maximum size that one account's unfinished uploads may have together. */
const MAX_UNFINISHED_FILES = 10;
/** Part of the organization's quota that one account's unfinished uploads may have together: a quarter. */
const QUOTA_SHARES = 4;

/** A change of the uploads that a message links, as lists of upload ids. */
interface ReferenceChange {
  readonly realmId: number;
  readonly messageId: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * Updates a message's attachment references. An upload that loses one is queued for the sweeper, which checks
 * whether other messages still link it. At most three writes for each changed upload.
 */
export function updateReferences(tx: Tx, { realmId, messageId, before, after, now }: ReferenceChange): void {
  for (const id of after) {
    if (before.includes(id)) continue;
    tx.set(uploadKeys.reference(realmId, id, messageId), true);
    tx.set(uploadKeys.referencedAt(realmId, id), now);
  }
  for (const id of before) {
    if (after.includes(id)) continue;
    tx.delete(uploadKeys.reference(realmId, id, messageId));
    tx.set(uploadKeys.unreferencedSince(now, realmId, id), true);
  }
}

/** Returns the ids of the messages that link an upload, ascending. */
export async function listReferences(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { id, limit }: { id: number; limit: number },
): Promise<readonly number[]> {
  return await listIds({ store }, { prefix: [...uploadKeys.references(realmId, id)] }, { limit });
}

/** Returns the author's uploads that no message links after this one stops; may miss a concurrent link. */
export async function listDetachedUploads(
  app: Pick<ChatApp, "store">,
  tx: Pick<Tx, "peek">,
  { realmId, messageId, ownerId, before, after }: Omit<ReferenceChange, "now"> & { readonly ownerId: number },
): Promise<readonly UploadRecord[]> {
  const uploads = await Promise.all(
    before.filter((id) => !after.includes(id)).map(async (id) => {
      const upload = await tx.peek<UploadRecord>(uploadKeys.upload(realmId, id));
      if (upload?.owner_id !== ownerId) return null;
      const messageIds = await listReferences(app, realmId, { id, limit: 2 });
      return messageIds.every((other) => other === messageId) ? upload : null;
    }),
  );
  return uploads.filter((upload) => upload !== null);
}

/** Returns the ids, among those passed, of uploads that exist in the transaction's view. */
export async function filterExistingUploads(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const uploads = await Promise.all(ids.map((id) => tx.get<UploadRecord>(uploadKeys.upload(realmId, id))));
  return uploads.filter((upload) => upload !== null).map(({ id }) => id);
}

/**
 * Adds to the used space, negative `bytes` release it, and returns the new total in bytes.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function useUploadSpace(
  app: Pick<ChatApp, "config">,
  tx: Tx,
  space: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = await readNumber(tx, uploadKeys.spaceUsed(space.realmId)) + space.bytes;
  if (space.bytes > 0) await requireUploadSpace(app, tx, { realmId: space.realmId, used });
  tx.set(uploadKeys.spaceUsed(space.realmId), used);
  return used;
}

/** Checks that used and reserved space together are within the quota. */
async function requireUploadSpace(
  { config }: Pick<ChatApp, "config">,
  tx: Tx,
  { realmId, used }: { readonly realmId: number; readonly used: number },
): Promise<void> {
  const quota = config.uploadQuotaMib * MIB;
  const reserved = await readNumber(tx, uploadKeys.spaceReserved(realmId));
  if (quota > 0 && used + reserved > quota) {
    throw new AppError("REALM_UPLOAD_QUOTA", "Upload would exceed your organization's upload quota.");
  }
}

/**
 * Reserves space for a resumable upload until `releaseUploadSpace` is called.
 * @throws AppError REALM_UPLOAD_QUOTA without enough space for the organization or the account, and
 * RATE_LIMIT_HIT if the account has too many unfinished uploads.
 */
export async function reserveUploadSpace(
  app: Pick<ChatApp, "config">,
  tx: Tx,
  { owner_id, bytes, ...id }: ReservationId & ReservationRecord,
): Promise<void> {
  const own = await addReservation(tx, { realmId: id.realmId, owner_id, bytes, uploads: 1 });
  if (own.uploads > MAX_UNFINISHED) throw new AppError("RATE_LIMIT_HIT", "Too many uploads are in progress.");
  const limit = maxReservedMib(app.config);
  if (own.bytes > limit * MIB) {
    const message = `Your unfinished uploads would exceed ${limit} MiB. Finish or cancel one of them first.`;
    throw new AppError("REALM_UPLOAD_QUOTA", message);
  }
  await requireUploadSpace(app, tx, {
    realmId: id.realmId,
    used: await readNumber(tx, uploadKeys.spaceUsed(id.realmId)),
  });
  tx.set(uploadKeys.reservation(id), { owner_id, bytes } satisfies ReservationRecord);
}

/** Releases the space that a resumable upload reserved; does nothing when it reserves none, or no longer. */
export async function releaseUploadSpace(tx: Tx, id: ReservationId): Promise<void> {
  const key = uploadKeys.reservation(id);
  const reservation = await tx.get<ReservationRecord>(key);
  if (reservation === null) return;
  tx.delete(key);
  const { owner_id, bytes } = reservation;
  await addReservation(tx, { realmId: id.realmId, owner_id, bytes: -bytes, uploads: -1 });
}

/** Returns what one account may reserve for unfinished uploads, in MiB: never less than one file. */
function maxReservedMib({ uploadMaxMib, uploadQuotaMib }: ChatApp["config"]): number {
  const share = uploadQuotaMib > 0 ? Math.floor(uploadQuotaMib / QUOTA_SHARES) : Infinity;
  return Math.max(uploadMaxMib, Math.min(share, MAX_UNFINISHED_FILES * uploadMaxMib));
}

/** Adds to the reservations of an account and its organization, and returns those of the account. */
async function addReservation(
  tx: Tx,
  { realmId, owner_id, bytes, uploads }:
    & { readonly realmId: number; readonly uploads: number }
    & ReservationRecord,
): Promise<AccountReservations> {
  const total = uploadKeys.spaceReserved(realmId);
  tx.set(total, await readNumber(tx, total) + bytes);
  const key = uploadKeys.reservedBy(realmId, owner_id);
  const before = await tx.get<AccountReservations>(key);
  const own = { uploads: (before?.uploads ?? 0) + uploads, bytes: (before?.bytes ?? 0) + bytes };
  if (own.uploads === 0) tx.delete(key);
  else tx.set(key, own);
  return own;
}

async function readNumber(tx: Tx, key: Key): Promise<number> {
  return await tx.get<number>(key) ?? 0;
}

const MAX_MESSAGES = 100;
/** Maximum number of events for one message; a message links no more uploads than this. */
const MAX_EVENTS = 50;

/** Sends the owner of an upload an event about it; `used` is the space of the organization after it, in bytes. */
export function sendAttachmentEvent(
  tx: Tx,
  at: { readonly realmId: number; readonly now: number },
  { op, upload, messageIds = [], used }: {
    readonly op: "add" | "update" | "remove";
    readonly upload: UploadRecord;
    readonly messageIds?: readonly number[];
    readonly used: number;
  },
): void {
  const attachment = op === "remove" ? { id: upload.id } : toAttachment(upload, messageIds);
  const event = { type: "attachment", op, attachment, upload_space_used: used };
  sendEvent(tx, at, { event, audience: [upload.owner_id] });
}

/**
 * Sends the owners of uploads that a message starts or stops linking the new lists of messages. When two
 * messages link one file at the same time, each event may omit the other message.
 */
export async function sendAttachmentUpdateEvents(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, messageId, before, after, now }: ReferenceChange,
): Promise<void> {
  const changed = [...new Set(before).symmetricDifference(new Set(after))].slice(0, MAX_EVENTS);
  if (changed.length === 0) return;
  const used = await tx.peek<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  for (const id of changed) {
    const upload = await tx.peek<UploadRecord>(uploadKeys.upload(realmId, id));
    if (upload === null) continue;
    const others = (await listReferences({ store }, realmId, { id, limit: MAX_MESSAGES }))
      .filter((other) => other !== messageId);
    // Ids are ascending, and an edited message may be older than the others.
    const ids = after.includes(id) ? [...others, messageId].sort((a, b) => a - b) : others;
    const messageIds = ids.slice(0, MAX_MESSAGES);
    sendAttachmentEvent(tx, { realmId, now }, { op: "update", upload, messageIds, used });
  }
}
