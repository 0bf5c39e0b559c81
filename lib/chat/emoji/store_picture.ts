import { AppError } from "@/lib/core/errors.ts";
import { readBlob, writeBlob } from "@/lib/kv/blob.ts";
import { readRecord } from "@/lib/kv/key.ts";
import {
  abandonPending,
  notePending,
  type PendingBlob,
  pendingKeys,
  settlePending,
} from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type OpenedPicture, type Picture, pictureKeys, type PictureRecord } from "./picture.ts";
import { pictureType } from "./picture_type.ts";

/** The largest picture, in bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** The refusal of a larger one. */
export const PICTURE_TOO_LARGE = "Uploaded file is larger than the allowed limit of 5 MiB";

/**
 * The one picture among a request's files; what it is, is told by its bytes alone.
 * @throws AppError BAD_REQUEST with these words for none or several files and for what is no picture, and for a large one.
 */
export function requirePicture(
  files: readonly Uint8Array[],
  words: { readonly exactlyOne: string; readonly noPicture: string },
): Picture {
  const [content, ...others] = files;
  if (content === undefined || others.length > 0) throw new AppError("BAD_REQUEST", words.exactlyOne);
  if (content.length > MAX_PICTURE_BYTES) throw new AppError("BAD_REQUEST", PICTURE_TOO_LARGE);
  const contentType = pictureType(content);
  if (contentType === null) throw new AppError("BAD_REQUEST", words.noPicture);
  return { content, contentType };
}

/** Where a picture's bytes are stored, and what is committed with them. */
export interface PictureUse<T> {
  readonly realmId: number;
  /** What its chunks' keys begin with behind the organization's id. */
  readonly place: string;
  /** Writes what names the picture; `picture` is what its bytes are kept under. */
  readonly keep: (tx: Tx, picture: string) => Promise<T>;
  /** The line in which the commit waits. */
  readonly queue: string;
}

/** Stores a picture and commits what names it; an interruption leaves bytes that are swept after a day. */
export async function storePicture<T>(
  { store, clock }: Pick<ChatApp, "store" | "clock">,
  { content }: Picture,
  { realmId, place, keep, queue }: PictureUse<T>,
): Promise<T> {
  const pending = await notePending(store, { realmId, now: clock.now(), place });
  try {
    await writeBlob(store, pendingKeys.chunks(pending), new Blob([new Uint8Array(content)]).stream());
    return await transact(store, async (tx) => {
      await settlePending(tx, pending);
      return await keep(tx, pending.blob);
    }, queue);
  } catch (error) {
    await abandonPending(store, pending);
    throw error;
  }
}

/** The id that a picture's address ends with; null for an address of another kind. */
function pictureOf(path: string | null): string | null {
  return path === null ? null : /^\/avatar\/\d+\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? null;
}

/** Writes a picture's record and gives its address below the organization's, which nobody can guess. */
export function keepPicture(
  tx: Tx,
  realmId: number,
  { id, ...record }: PictureRecord & { id: string },
): string {
  tx.set(pictureKeys.picture(realmId, id), record satisfies PictureRecord);
  return `/avatar/${realmId}/${id}`;
}

/** Takes a picture's record away; gives what of it has to be dropped after the commit, null where there is nothing. */
export function removePicture(
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  path: string | null,
): PendingBlob | null {
  const blob = pictureOf(path);
  if (blob === null) return null;
  const pending = { realm_id: realmId, blob, started_at: now, place: pictureKeys.place };
  tx.delete(pictureKeys.picture(realmId, blob));
  // From here on its bytes are left over, whatever keeps them from being removed at once.
  tx.set(pendingKeys.pendingSince(pending), pending);
  return pending;
}

/**
 * The picture at an address.
 * @throws AppError NOT_FOUND.
 */
export async function openPicture(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  id: string,
): Promise<OpenedPicture> {
  const key = pictureKeys.picture(realmId, id);
  const record = /^[0-9a-f-]{36}$/.test(id) ? await readRecord<PictureRecord>(store.kv, key) : null;
  if (record === null) throw new AppError("NOT_FOUND", "Nothing is here.");
  const { content_type: contentType, size } = record;
  const content = readBlob(store.kv, pictureKeys.chunks(realmId, id), { start: 0, end: size });
  return { contentType, size, content };
}
