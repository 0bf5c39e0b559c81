import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { sequenceKey } from "@/lib/store/change.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { countStoredFile } from "../statistics/store.ts";
import type { Caller } from "../users/model.ts";
import { addCharset, detectContentType } from "./content_type.ts";
import { sendAttachmentAddEvent } from "./events.ts";
import {
  pendingKeys,
  type ReservationId,
  toDisplayName,
  toPathName,
  uploadKeys,
  type UploadRecord,
} from "./model.ts";
import { readUploadImage } from "./read_upload_image.ts";
import { abandonPending, releaseUploadSpace, settlePending, useUploadSpace } from "./store.ts";
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

/** Fields of a new upload that do not depend on the commit that creates it. */
type UploadFields = Omit<UploadRecord, "id" | "created_at">;

/**
 * Creates an upload from stored bytes, under an unguessable path, and sends its owner an event. Uploads that arrive
 * together share a commit.
 * @throws AppError REALM_UPLOAD_QUOTA if the organization has too little space; the bytes are removed then.
 * NOT_FOUND if the bytes already have a record, or were removed because they waited too long.
 */
export async function createUpload(app: ChatApp, caller: Caller, upload: NewUpload): Promise<UploadRecord> {
  const { realm: { id: realmId } } = caller;
  const { stored, reservation } = upload;
  try {
    const fields = await describe(app, caller, upload);
    return await app.uploadCommitter.submit(async (tx) => {
      // Its steps find these values read.
      await Promise.all([
        tx.get(sequenceKey("upload")),
        tx.get(pendingKeys.pendingSince(stored.pending)),
        tx.get(uploadKeys.spaceUsed(realmId)),
        tx.get(uploadKeys.spaceReserved(realmId)),
        reservation === undefined ? null : tx.get(uploadKeys.reservation(reservation)),
      ]);
      return await createWithin(app, tx, { realmId, upload, fields });
    });
  } catch (error) {
    if (error instanceof AppError) await abandonPending(app.store, stored.pending);
    throw error;
  }
}

async function describe(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { stored, file }: NewUpload,
): Promise<UploadFields> {
  const name = toDisplayName(file.name);
  const contentType = detectContentType(file.contentType, name);
  const image = await readUploadImage(app, stored, contentType);
  return {
    owner_id: actingUser.id,
    path_id: newPathId(realm.id, name),
    name,
    size: stored.size,
    content_type: addCharset(contentType, stored.head),
    blob: stored.pending.blob,
    ...(image === null ? {} : { image }),
  };
}

async function createWithin(
  app: ChatApp,
  tx: Tx,
  { realmId, upload: { stored, reservation, onCreate }, fields }: {
    readonly realmId: number;
    readonly upload: NewUpload;
    readonly fields: UploadFields;
  },
): Promise<UploadRecord> {
  // Events of one commit are ordered by time, and each has the space that the uploads before it use.
  const now = app.clock.now();
  await settlePending(tx, stored.pending);
  if (reservation !== undefined) await releaseUploadSpace(tx, reservation);
  const used = await useUploadSpace(app, tx, { realmId, bytes: stored.size });
  const upload = { id: await tx.nextId("upload"), ...fields, created_at: now };
  writeUpload(tx, realmId, upload);
  countStoredFile(tx, { realmId, now }, upload);
  onCreate?.(tx, upload);
  sendAttachmentAddEvent(tx, { realmId, upload, used, now });
  return upload;
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
