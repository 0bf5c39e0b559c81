import { listIds } from "@/lib/store/reads.ts";
import { createHmac } from "node:crypto";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Viewer } from "@/lib/chat/messages/model.ts";
import { canReadUpload, readUploadByPath } from "@/lib/chat/messages/access.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { storePicture } from "@/lib/chat/organization/pictures.ts";
import { type Caller, notLoggedIn } from "@/lib/chat/organization/users/model.ts";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import {
  pendingKeys,
  THUMBNAIL_FORMAT,
  type ThumbnailRecord,
  toAttachment,
  type UploadImage,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "../organization/files/model.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { listReferences } from "./files/store.ts";

/** Requester of a file in an organization; `user` is null if not signed in. */
export interface FileViewer {
  readonly realm: RealmRecord;
  readonly user: Viewer;
}

/**
 * @throws AppError NOT_FOUND; UNAUTHORIZED if not signed in; UNAUTHORIZED_PRINCIPAL with status 403 without
 * access.
 */
export async function getAccessibleUpload(
  app: ChatApp,
  { realm, user }: FileViewer,
  pathId: string,
): Promise<UploadRecord> {
  const upload = await readUploadByPath(app, realm.id, pathId);
  if (upload === null && user !== null) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  if (upload !== null && await canReadUpload(app, permissions, { upload, user })) return upload;
  if (user === null) throw notLoggedIn();
  throw new AppError("UNAUTHORIZED_PRINCIPAL", "You are not authorized to view this file.", { status: 403 });
}

/** Names of formats, also of formats that this server does not offer. */
const FORMAT_NAME = /^\d{1,5}x\d{1,5}(?:-anim)?\.[a-z]{1,10}$/;
/** Time after which an image that could not be decoded is tried again, in milliseconds. */
const RETRY_MS = 86_400_000;
/** Size of the largest thumbnail, in pixels. */
const BOX = { width: THUMBNAIL_FORMAT.max_width, height: THUMBNAIL_FORMAT.max_height };
const CONTENT_TYPE = `image/${THUMBNAIL_FORMAT.format}`;

interface RequestedThumbnail {
  readonly upload: UploadRecord;
  readonly format: string;
}

/** @throws AppError NOT_FOUND. */
function requireThumbnail({ upload: { image }, format }: RequestedThumbnail): void {
  if (image === undefined || !FORMAT_NAME.test(format)) throw noThumbnail();
}

/**
 * Returns the thumbnail of an upload, which the first request makes. A format that this server does not offer
 * is answered with the one that it does.
 * @throws AppError NOT_FOUND if the upload is no image that can be decoded; UNAVAILABLE while too many images
 * wait.
 */
export async function getThumbnail(
  app: ChatApp,
  realmId: number,
  requested: RequestedThumbnail,
): Promise<ThumbnailRecord & Pick<UploadRecord, "name" | "content_type">> {
  requireThumbnail(requested);
  const { id, image } = requested.upload;
  const thumbnail = image?.thumbnail ??
    await app.store.queues.share(`thumbnail ${realmId} ${id}`, () => makeThumbnail(app, realmId, id));
  return { ...thumbnail, name: THUMBNAIL_FORMAT.name, content_type: CONTENT_TYPE };
}

async function makeThumbnail(app: ChatApp, realmId: number, id: number): Promise<ThumbnailRecord> {
  const { kv } = app.store;
  const upload = await readRecord<UploadRecord>(kv, uploadKeys.upload(realmId, id));
  // An earlier request may have made it since the caller read the record.
  if (upload?.image?.thumbnail !== undefined) return upload.image.thumbnail;
  const failedAt = upload?.image?.failed_at ?? -Infinity;
  if (upload === null || app.clock.now() - failedAt < RETRY_MS) throw noThumbnail();
  const owner = `${realmId}/${upload.owner_id}`;
  const picture = await app.images.toThumbnail(owner, () => readImage(kv, realmId, upload), BOX);
  if (picture !== null) return await storeThumbnail(app, realmId, { id, picture });
  await transact(app.store, async (tx) => {
    await changeImage(tx, { realmId, id }, { failed_at: app.clock.now() });
  }, uploadLock(realmId));
  throw noThumbnail();
}

/** @throws AppError NOT_FOUND if the upload was removed meanwhile. */
async function readImage(kv: Kv, realmId: number, upload: UploadRecord): Promise<Uint8Array> {
  try {
    const range = { start: 0, end: upload.size };
    return await new Response(readBlob(kv, uploadKeys.blob(realmId, upload.blob), range)).bytes();
  } catch (error) {
    if (await readRecord(kv, uploadKeys.upload(realmId, upload.id)) === null) throw noThumbnail();
    throw error;
  }
}

/** Stores a thumbnail; the bytes of one that another process stored meanwhile are left to the sweeper. */
async function storeThumbnail(
  app: ChatApp,
  realmId: number,
  { id, picture }: { readonly id: number; readonly picture: Uint8Array },
): Promise<ThumbnailRecord> {
  return await storePicture(app, [picture], {
    realmId,
    place: uploadKeys.place,
    commit: (settle) =>
      transact(app.store, async (tx) => {
        const thumbnail = { blob: await settle(tx), size: picture.length };
        const { thumbnail: other } = await changeImage(tx, { realmId, id }, { thumbnail });
        if (other !== undefined) {
          const unused = { realm_id: realmId, blob: other.blob, started_at: app.clock.now() };
          tx.set(pendingKeys.pendingSince(unused), unused);
        }
        return thumbnail;
      }, uploadLock(realmId)),
  });
}

/** @throws AppError NOT_FOUND if the upload was removed. */
async function changeImage(
  tx: Tx,
  { realmId, id }: { readonly realmId: number; readonly id: number },
  change: Pick<UploadImage, "thumbnail" | "failed_at">,
): Promise<UploadImage> {
  const key = uploadKeys.upload(realmId, id);
  const upload = await tx.get<UploadRecord>(key);
  if (upload?.image === undefined) throw noThumbnail();
  tx.set(key, { ...upload, image: { ...upload.image, ...change } } satisfies UploadRecord);
  return upload.image;
}

function noThumbnail(): AppError {
  return new AppError("NOT_FOUND", "This file has no thumbnail.");
}

/** Lifetime of a temporary link, in milliseconds. */
const TEMPORARY_MS = 60_000;

/** @throws AppError NOT_FOUND for the thumbnail of an upload that has none. */
export function createTemporaryPath(
  app: ChatApp,
  realm: RealmRecord,
  { upload, format }: { upload: UploadRecord; format?: string },
): string {
  if (format !== undefined) requireThumbnail({ upload, format });
  const expires = app.clock.now() + TEMPORARY_MS;
  const token = `${upload.id}-${expires}-${signLink(app, realm.id, { id: upload.id, expires })}`;
  const path = `/user_uploads/temporary/${token}/${encodeURIComponent(getPathName(upload))}`;
  return format === undefined ? path : `${path}/${format}`;
}

/** @throws AppError BAD_REQUEST for a forged or expired token, or a file name that does not match. */
export async function getTemporaryUpload(
  app: ChatApp,
  realm: RealmRecord,
  { token, name }: { token: string; name: string },
): Promise<UploadRecord> {
  const [, digits = "", time = "", signature = ""] = /^(\d{1,15})-(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
  const [id, expires] = [Number(digits), Number(time)];
  const isSigned = await equalSecrets(signature, signLink(app, realm.id, { id, expires }));
  const upload = isSigned && expires >= app.clock.now()
    ? await app.reads.read<UploadRecord>(uploadKeys.upload(realm.id, id))
    : null;
  if (upload === null) throw new AppError("BAD_REQUEST", "Invalid token");
  if (name !== getPathName(upload)) throw new AppError("BAD_REQUEST", "Invalid filename");
  return upload;
}

function getPathName({ path_id }: UploadRecord): string {
  return path_id.split("/").at(-1) ?? "";
}

function signLink(
  { secretKey }: ChatApp,
  realmId: number,
  { id, expires }: { id: number; expires: number },
): string {
  return createHmac("sha256", secretKey).update(`file|${realmId}|${id}|${expires}`).digest("base64url");
}

const MAX_MESSAGES = 100;
const PARALLEL = 100;

/** Returns the files that the caller uploaded, oldest first, and the organization's used space in bytes. */
export async function listAttachments(app: ChatApp, { realm, actingUser }: Caller) {
  const { id: realmId } = realm;
  const prefix = [...uploadKeys.ofOwner(realmId, actingUser.id)];
  const ids = await listIds(app, { prefix });
  const attachments = [];
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const found = await Promise.all(
      ids.slice(at, at + PARALLEL).map(async (id) => {
        const [upload, messageIds] = await Promise.all([
          app.reads.read<UploadRecord>(uploadKeys.upload(realmId, id)),
          listReferences(app, realmId, { id, limit: MAX_MESSAGES }),
        ]);
        return upload === null ? null : toAttachment(upload, messageIds);
      }),
    );
    attachments.push(...found.filter((attachment) => attachment !== null));
  }
  const used = await app.reads.read<number>(uploadKeys.spaceUsed(realmId)) ?? 0;
  return { attachments, upload_space_used: used };
}
