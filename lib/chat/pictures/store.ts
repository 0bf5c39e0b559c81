import { AppError } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { readRecord } from "@/lib/store/key.ts";
import { namePending, type PendingBlob, pendingKeys } from "../files/model.ts";
import { abandonPending, settlePending, writePending } from "../files/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type Picture, pictureKeys, type PictureRecord, type PictureStream } from "./model.ts";

/** End of the name of a picture's medium version. */
const MEDIUM = /-medium\.png$/;

/** Destination of a stored picture, and the record committed with it. */
export interface PictureUse<T> {
  readonly realmId: number;
  /** Key part of the chunks, after the organization's id. */
  readonly place: string;
  /** Writes the record that refers to the picture by the unique name of its blob. */
  readonly write: (tx: Tx, blob: string) => Promise<T>;
  /** Name of the lock under which the record is committed; an organization's own rows need none. */
  readonly lock?: string;
}

/** Stores a picture and commits its record; bytes left behind by an interruption are removed after a day. */
export async function storePicture<T>(
  { store, clock }: Pick<ChatApp, "store" | "clock">,
  { content }: Picture,
  { realmId, place, write, lock }: PictureUse<T>,
): Promise<T> {
  const pending = namePending({ realmId, now: clock.now(), place });
  try {
    await writePending(store, pending, new Blob([new Uint8Array(content)]).stream());
    return await transact(store, async (tx) => {
      await settlePending(tx, pending);
      return await write(tx, pending.blob);
    }, lock);
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
  tx: Tx,
  { realmId, now }: { readonly realmId: number; readonly now: number },
  path: string | null,
): PendingBlob | null {
  const blob = parsePictureId(path);
  if (blob === null) return null;
  const pending = { realm_id: realmId, blob, started_at: now, place: pictureKeys.place };
  tx.delete(pictureKeys.picture(realmId, blob));
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

/** Returns the id in the URL path of a picture; null for any other path. */
function parsePictureId(path: string | null): string | null {
  return path === null ? null : /^\/avatar\/\d+\/([0-9a-f-]{36})$/.exec(path)?.[1] ?? null;
}
