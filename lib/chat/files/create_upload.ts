import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { abandonPending, settlePending } from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { countStoredFile } from "../statistics/store.ts";
import type { Caller } from "../users/model.ts";
import { addCharset, detectContentType } from "./content_type.ts";
import { sendAttachmentAddEvent } from "./events.ts";
import {
  type ReservationId,
  toDisplayName,
  toPathName,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "./model.ts";
import { readUploadImage } from "./read_upload_image.ts";
import { releaseUploadSpace, useUploadSpace } from "./store.ts";
import type { ReceivedFile, UploadBlob } from "./store_upload_blob.ts";

/** Stored bytes with the client's description of the file. */
export interface NewUpload {
  readonly stored: UploadBlob;
  readonly file: Pick<ReceivedFile, "name" | "contentType">;
  /** Reservation that ends with the commit that creates the upload. */
  readonly reservation?: ReservationId;
  /** Adds further writes to that commit. */
  readonly onCreate?: (tx: Tx, upload: UploadRecord) => void;
}

/**
 * Creates an upload from stored bytes, under an unguessable path, and sends its owner an event.
 * @throws AppError REALM_UPLOAD_QUOTA if the organization has too little space; the bytes are removed then.
 * NOT_FOUND if the bytes already have a record, or were removed because they waited too long.
 */
export async function createUpload(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { stored, file, reservation, onCreate }: NewUpload,
): Promise<UploadRecord> {
  const name = toDisplayName(file.name);
  const now = app.clock.now();
  const contentType = detectContentType(file.contentType, name);
  const fields = {
    owner_id: actingUser.id,
    path_id: newPathId(realm.id, name),
    name,
    size: stored.size,
    content_type: addCharset(contentType, stored.head),
    blob: stored.pending.blob,
    created_at: now,
  };
  try {
    const image = await readUploadImage(app, stored, contentType);
    return await transact(app.store, async (tx) => {
      await settlePending(tx, stored.pending);
      if (reservation !== undefined) await releaseUploadSpace(tx, reservation);
      const used = await useUploadSpace(app, tx, { realmId: realm.id, bytes: stored.size });
      const upload = { id: await tx.nextId("upload"), ...fields, ...(image === null ? {} : { image }) };
      writeUpload(tx, realm.id, upload);
      countStoredFile(tx, { realmId: realm.id, now }, upload);
      onCreate?.(tx, upload);
      sendAttachmentAddEvent(tx, { realmId: realm.id, upload, used, now });
      return upload;
    }, uploadLock(realm.id));
  } catch (error) {
    if (error instanceof AppError) await abandonPending(app.store, stored.pending);
    throw error;
  }
}

function writeUpload(tx: Tx, realmId: number, upload: UploadRecord): void {
  tx.set(uploadKeys.upload(realmId, upload.id), upload);
  tx.set(uploadKeys.byPath(realmId, upload.path_id), upload.id);
  tx.set([...uploadKeys.ofOwner(realmId, upload.owner_id), upload.id], true);
  tx.set(uploadKeys.unreferencedSince(upload.created_at, realmId, upload.id), true);
}

/** Returns a path with 144 random bits, after a segment that spreads files over 256 folders. */
function newPathId(realmId: number, name: string): string {
  const random = crypto.getRandomValues(new Uint8Array(19));
  const folder = toHex(random.subarray(0, 1)).replace(/^0/, "");
  return `${realmId}/${folder}/${random.subarray(1).toBase64({ alphabet: "base64url" })}/${toPathName(name)}`;
}
