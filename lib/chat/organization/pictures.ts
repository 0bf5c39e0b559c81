import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import type { ActionContext, ChatApp } from "./app.ts";
import type { EventContext } from "./events/send_events.ts";
import { namePending, type PendingBlob, pendingKeys } from "./files/model.ts";
import { abandonPending, dropPending, settlePending, writePending } from "./pending_blobs.ts";
import type { Caller } from "./users/model.ts";
import { act } from "./users/store.ts";

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

/** Stores the parts of a picture as one blob and commits its record; bytes left behind by an interruption are removed after a day. */
export async function storePicture<T>(
  { store, clock }: Pick<ChatApp, "store" | "clock">,
  parts: readonly Uint8Array[],
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
    await writePending(store, pending, new Blob(parts.map((part) => new Uint8Array(part))).stream());
    return await commit(async (tx) => {
      await settlePending(tx, pending);
      return pending.blob;
    });
  } catch (error) {
    await abandonPending(store, pending);
    throw error;
  }
}

/** Deletes the record of the picture with a URL path; returns the blob to drop after the commit, or null. */
export function deletePicture({ app, tx, realm }: EventContext, path: string | null): PendingBlob | null {
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

const UNREADABLE = "Could not decode image; did you upload an image file?";

/**
 * Crops a caller's picture to squares of these sizes in pixels.
 * @throws AppError BAD_REQUEST for a picture that cannot be decoded, and for one with too many pixels;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many are worked on.
 */
export async function toSquares(
  { images }: Pick<ChatApp, "images">,
  { realm, actingUser }: Caller,
  content: Uint8Array,
  sizes: readonly number[],
): Promise<readonly Uint8Array[]> {
  const squares = await images.toSquares(`${realm.id}/${actingUser.id}`, content, sizes);
  if (squares === null) throw new AppError("BAD_REQUEST", UNREADABLE);
  return squares;
}

/** A user or an organization after a change of its picture, and the bytes of the old one to drop after the commit. */
export interface PictureChange<T> {
  readonly changed: T;
  readonly old: PendingBlob | null;
}

/**
 * Replaces a picture by the only one among the files, in squares of 100 and 500 pixels, or removes it. `put` stores
 * its URL path, which cannot be guessed; null for none.
 * @throws AppError BAD_REQUEST for no file, several files, a picture that is too large or unreadable;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many pictures are worked on.
 */
export async function replacePicture<T>(
  app: ChatApp,
  caller: Caller,
  { files, exactlyOne, put }: {
    readonly files: readonly Uint8Array[] | null;
    readonly exactlyOne: string;
    readonly put: (context: ActionContext, path: string | null) => Promise<PictureChange<T>>;
  },
): Promise<T> {
  const { id: realmId } = caller.realm;
  const store = async (files: readonly Uint8Array[]) => {
    const { content } = requirePicture(files, { exactlyOne, noPicture: UNREADABLE });
    const [small = content, medium = content] = await toSquares(app, caller, content, [100, 500]);
    const record: PictureRecord = {
      content_type: "image/png",
      size: small.length,
      medium_size: medium.length,
    };
    return await storePicture(app, [small, medium], {
      realmId,
      place: pictureKeys.place,
      commit: (settle) =>
        act(app, caller, async (context) => {
          const id = await settle(context.tx);
          context.tx.set(pictureKeys.picture(realmId, id), record);
          return await put(context, `/avatar/${realmId}/${id}`);
        }),
    });
  };
  const { changed, old } = files === null
    ? await act(app, caller, (context) => put(context, null))
    : await store(files);
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
  return changed;
}
