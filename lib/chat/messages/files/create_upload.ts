import {
  addCharset,
  detectContentType,
  isInlineImage,
  MIB,
  namePending,
  type PendingBlob,
  pendingKeys,
  type ReservationId,
  toDisplayName,
  toPathName,
  type UploadImage,
  uploadKeys,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { countStoredFile } from "@/lib/chat/organization/statistics/store.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { concatBytes, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isAnimated, isSmallEnough, readImageHeader } from "@/lib/images/image_header.ts";
import { readBlob } from "@/lib/store/blob.ts";
import { sequenceKey } from "@/lib/store/change.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { releaseUploadSpace, sendAttachmentEvent, useUploadSpace } from "./store.ts";
import { abandonPending, settlePending, writePending } from "@/lib/chat/organization/pending_blobs.ts";

export interface ReceivedFile {
  /** File name as the client sent it; empty if none. */
  readonly name: string;
  readonly contentType: string | undefined;
  /** The bytes of a piece are valid until the next one is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Stored bytes that have no upload record yet. */
interface UploadBlob {
  readonly pending: PendingBlob;
  /** Size in bytes. */
  readonly size: number;
  /** First bytes, from which the charset of a text is guessed. */
  readonly head: Uint8Array;
}

export const HEAD_BYTES = 4096;

export function uploadTooLarge({ config }: Pick<ChatApp, "config">): AppError {
  const limit = config.uploadMaxMib;
  return new AppError(
    "BAD_REQUEST",
    `File is larger than this server's configured maximum upload size (${limit} MiB).`,
  );
}

/**
 * Stores a file's bytes as they arrive, with only a few chunks in memory.
 * @throws AppError BAD_REQUEST beyond the maximum upload size; the stored bytes are removed then.
 */
export async function storeUploadBlob(
  app: ChatApp,
  realmId: number,
  content: ReceivedFile["content"],
): Promise<UploadBlob> {
  const pending = namePending({ realmId, now: app.clock.now() });
  let head = new Uint8Array();
  async function* limitSize() {
    let size = 0;
    for await (const piece of content) {
      size += piece.length;
      if (head.length < HEAD_BYTES) head = concatBytes([head, piece.subarray(0, HEAD_BYTES - head.length)]);
      if (size > app.config.uploadMaxMib * MIB) throw uploadTooLarge(app);
      yield piece;
    }
  }
  try {
    return { pending, size: await writePending(app.store, pending, limitSize()), head };
  } catch (error) {
    await abandonPending(app.store, pending);
    throw error;
  }
}

/** Maximum size of an image that is thumbnailed, in bytes; it is decoded in one piece. */
const MAX_IMAGE_BYTES = 20 * MIB;
/** Number of first bytes that are read; photos have previews and color profiles before their dimensions. */
const IMAGE_HEAD_BYTES = MIB;
/** Type of animations that browsers play; their headers are those of PNG images. */
const ANIMATED_PNG = "image/apng";

/** Reads what the first bytes of a file say of it as an image; null for a file that cannot have a thumbnail. */
async function readUploadImage(
  { store }: Pick<ChatApp, "store">,
  { pending, size }: UploadBlob,
  contentType: string,
): Promise<UploadImage | null> {
  if (!isInlineImage(contentType) || size > MAX_IMAGE_BYTES) return null;
  const range = { start: 0, end: Math.min(size, IMAGE_HEAD_BYTES) };
  const head = await new Response(readBlob(store.kv, pendingKeys.chunks(pending), range)).bytes();
  const header = readImageHeader(head);
  if (header === null || !isSmallEnough(header)) return null;
  const isOnItsSide = header.orientation >= 5;
  return {
    width: isOnItsSide ? header.height : header.width,
    height: isOnItsSide ? header.width : header.height,
    is_animated: contentType === ANIMATED_PNG || isAnimated(head),
  };
}

/** Stored bytes with the client's description of the file. */
interface NewUpload {
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
  // 144 random bits, after a segment that spreads files over 256 folders.
  const random = crypto.getRandomValues(new Uint8Array(19));
  const folder = toHex(random.subarray(0, 1)).replace(/^0/, "");
  const secret = random.subarray(1).toBase64({ alphabet: "base64url" });
  return {
    owner_id: actingUser.id,
    path_id: `${realm.id}/${folder}/${secret}/${toPathName(name)}`,
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
  tx.set(uploadKeys.upload(realmId, upload.id), upload);
  tx.set(uploadKeys.byPath(realmId, upload.path_id), upload.id);
  tx.set([...uploadKeys.ofOwner(realmId, upload.owner_id), upload.id], true);
  tx.set(uploadKeys.unreferencedSince(upload.created_at, realmId, upload.id), true);
  countStoredFile(tx, { realmId, now }, upload);
  onCreate?.(tx, upload);
  sendAttachmentEvent(tx, { realmId, now }, { op: "add", upload, used });
  return upload;
}
