import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "./app.ts";
import type { EventContext } from "./events/send_events.ts";
import { namePending, type PendingBlob, pendingKeys } from "./files/model.ts";
import { abandonPending, settlePending, writePending } from "./pending_blobs.ts";
import type { Caller } from "./users/model.ts";

export interface Picture {
  readonly content: Uint8Array;
  /** Media type, detected from the first bytes. */
  readonly contentType: string;
}

interface PictureRecord {
  readonly content_type: string;
  /** Size in bytes. */
  readonly size: number;
  /** Size of the medium version, which follows the picture's bytes; missing if it is the picture itself. */
  readonly medium_size?: number;
}

/** A stored picture, opened for reading; `size` in bytes. */
export interface PictureStream {
  readonly contentType: string;
  readonly size: number;
  readonly content: ReadableStream<Uint8Array>;
}

/** Maximum size of a picture, in bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
export const PICTURE_TOO_LARGE = "Uploaded file is larger than the allowed limit of 5 MiB";

const PLACE = "picture_chunk";

export const pictureKeys = {
  /** Key part of the pictures' chunks, after the organization's id. */
  place: PLACE,
  pictures: (realmId: number): Key => [realmId, "picture"],
  picture: (realmId: number, id: string): Key => [realmId, "picture", id],
  chunks: (realmId: number, id: string): Key => [realmId, PLACE, id],
};

/** First bytes of the accepted picture formats; -1 matches any byte. */
const SIGNATURES: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50]],
];

/**
 * Returns the only picture of a request.
 * @throws AppError BAD_REQUEST with these messages unless exactly one picture was sent, and for one that is
 * too large.
 */
export function requirePicture(
  files: readonly Uint8Array[],
  messages: { readonly exactlyOne: string; readonly noPicture: string },
): Picture {
  const [content, ...others] = files;
  if (content === undefined || others.length > 0) throw new AppError("BAD_REQUEST", messages.exactlyOne);
  if (content.length > MAX_PICTURE_BYTES) throw new AppError("BAD_REQUEST", PICTURE_TOO_LARGE);
  const [contentType] =
    SIGNATURES.find(([, bytes]) =>
      content.length > bytes.length && bytes.every((byte, index) => byte === -1 || byte === content[index])
    ) ?? [];
  if (contentType === undefined) throw new AppError("BAD_REQUEST", messages.noPicture);
  return { content, contentType };
}

/** End of the name of a picture's medium version. */
const MEDIUM = /-medium\.png$/;

/** Stores a picture and commits its record; bytes left behind by an interruption are removed after a day. */
export async function storePicture<T>(
  { store, clock }: Pick<ChatApp, "store" | "clock">,
  { content }: Picture,
  { realmId, place, commit }: {
    readonly realmId: number;
    /** Key part of the chunks, after the organization's id. */
    readonly place: string;
    /** Commits the record that refers to the picture by the unique name of its blob, which `settle` returns. */
    readonly commit: (settle: (tx: Tx) => Promise<string>) => Promise<T>;
  },
): Promise<T> {
  const pending = namePending({ realmId, now: clock.now(), place });
  try {
    await writePending(store, pending, new Blob([new Uint8Array(content)]).stream());
    return await commit(async (tx) => {
      await settlePending(tx, pending);
      return pending.blob;
    });
  } catch (error) {
    await abandonPending(store, pending);
    throw error;
  }
}

/** Writes a picture's record and returns its URL path, which cannot be guessed. */
export function writePicture(
  tx: Tx,
  realmId: number,
  { id, ...record }: PictureRecord & { id: string },
): string {
  tx.set(pictureKeys.picture(realmId, id), record satisfies PictureRecord);
  return `/avatar/${realmId}/${id}`;
}

/** Deletes the record of the picture with a URL path; returns the blob to drop after the commit, or null. */
export function deletePicture(
  { app, tx, realm }: EventContext,
  path: string | null,
): PendingBlob | null {
  const blob = path === null ? undefined : /^\/avatar\/\d+\/([0-9a-f-]{36})$/.exec(path)?.[1];
  if (blob === undefined) return null;
  const pending = { realm_id: realm.id, blob, started_at: app.clock.now(), place: pictureKeys.place };
  tx.delete(pictureKeys.picture(realm.id, blob));
  // Marks the bytes as unused, so that they are removed later if the caller does not drop them.
  tx.set(pendingKeys.pendingSince(pending), pending);
  return pending;
}

/**
 * Opens a picture of a user or an organization. `name` is its id, followed by `-medium.png` for the medium
 * version.
 * @throws AppError NOT_FOUND.
 */
export async function getPicture(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  name: string,
): Promise<PictureStream> {
  const id = name.replace(MEDIUM, "");
  const key = pictureKeys.picture(realmId, id);
  const record = /^[0-9a-f-]{36}$/.test(id) ? await readRecord<PictureRecord>(store.kv, key) : null;
  if (record === null) throw new AppError("NOT_FOUND", "Nothing is here.");
  const { content_type: contentType, medium_size: mediumSize } = record;
  const isMedium = mediumSize !== undefined && MEDIUM.test(name);
  const start = isMedium ? record.size : 0;
  const size = isMedium ? mediumSize : record.size;
  const content = readBlob(store.kv, pictureKeys.chunks(realmId, id), { start, end: start + size });
  return { contentType, size, content };
}

/**
 * Crops a caller's picture to squares of 100 and 500 pixels, whose bytes are stored one after the other.
 * @throws AppError BAD_REQUEST with this message for a picture that cannot be decoded, and for one with too
 * many pixels; RATE_LIMIT_HIT or UNAVAILABLE while too many are worked on.
 */
export async function toSquares(
  { images }: Pick<ChatApp, "images">,
  { realm, actingUser }: Caller,
  { content, noPicture }: Pick<Picture, "content"> & { readonly noPicture: string },
): Promise<{ picture: Picture; record: PictureRecord }> {
  const [small, medium] = await images.toSquares(`${realm.id}/${actingUser.id}`, content, [100, 500]) ?? [];
  if (small === undefined || medium === undefined) throw new AppError("BAD_REQUEST", noPicture);
  const both = new Uint8Array(small.length + medium.length);
  both.set(small);
  both.set(medium, small.length);
  const contentType = "image/png";
  return {
    picture: { content: both, contentType },
    record: { content_type: contentType, size: small.length, medium_size: medium.length },
  };
}
