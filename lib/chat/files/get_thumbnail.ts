import { AppError } from "@/lib/core/errors.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { storePicture } from "../pictures.ts";
import {
  pendingKeys,
  THUMBNAIL_FORMAT,
  type ThumbnailRecord,
  type UploadImage,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "./model.ts";

/** Names of formats, also of formats that this server does not offer. */
const FORMAT_NAME = /^\d{1,5}x\d{1,5}(?:-anim)?\.[a-z]{1,10}$/;
/** Time after which an image that could not be decoded is tried again, in milliseconds. */
const RETRY_MS = 86_400_000;
/** Size of the largest thumbnail, in pixels. */
const BOX = { width: THUMBNAIL_FORMAT.max_width, height: THUMBNAIL_FORMAT.max_height };
const CONTENT_TYPE = `image/${THUMBNAIL_FORMAT.format}`;

/** An upload and the name of a format in which it is requested. */
export interface RequestedThumbnail {
  readonly upload: UploadRecord;
  readonly format: string;
}

/** A thumbnail as it is served; the fields are those of an upload. */
export interface ServedThumbnail extends ThumbnailRecord {
  readonly name: string;
  readonly content_type: string;
}

/**
 * Checks that an upload has a thumbnail, which may not be made yet.
 * @throws AppError NOT_FOUND.
 */
export function requireThumbnail({ upload: { image }, format }: RequestedThumbnail): void {
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
): Promise<ServedThumbnail> {
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

/**
 * Reads the bytes of an image.
 * @throws AppError NOT_FOUND if the upload was removed meanwhile.
 */
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
  return await storePicture(app, { content: picture, contentType: CONTENT_TYPE }, {
    realmId,
    place: uploadKeys.place,
    write: async (tx, blob) => {
      const thumbnail = { blob, size: picture.length };
      const { thumbnail: other } = await changeImage(tx, { realmId, id }, { thumbnail });
      if (other !== undefined) {
        const unused = { realm_id: realmId, blob: other.blob, started_at: app.clock.now() };
        tx.set(pendingKeys.pendingSince(unused), unused);
      }
      return thumbnail;
    },
    lock: uploadLock(realmId),
  });
}

/**
 * Changes what is stored of an image and returns what was stored before.
 * @throws AppError NOT_FOUND if the upload was removed.
 */
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
