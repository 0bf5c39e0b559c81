import { serialize } from "node:v8";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { appendBlob, CHUNK_BYTES, readBlob } from "@/lib/store/blob.ts";
import { readRecord, toEntry } from "@/lib/store/key.ts";
import { releaseUploadSpace, reserveUploadSpace } from "./store.ts";
import { dropPending } from "@/lib/chat/organization/pending_blobs.ts";
import {
  MIB,
  namePending,
  pendingKeys,
  type ReservationId,
  type ReservationRecord,
  RESUMABLE_UPLOAD_MS,
  type ResumableUploadRecord,
  uploadKeys,
  uploadLock,
  type UploadRecord,
} from "@/lib/chat/organization/files/model.ts";
import { transact } from "@/lib/store/transact.ts";
import { createUpload, HEAD_BYTES, uploadTooLarge } from "./create_upload.ts";

/** Maximum number of reservations released at once; more are left to the next call. */
const MAX_RELEASED = 100;

/** Releases the space that expired resumable uploads of all organizations reserved. */
export async function releaseExpiredUploads({ store, clock }: ChatApp): Promise<void> {
  const prefix = uploadKeys.reservations;
  const range = { start: [...prefix], end: [...prefix, clock.now() - RESUMABLE_UPLOAD_MS + 1] };
  for await (const entry of store.kv.list(range, { limit: MAX_RELEASED })) {
    const [, createdAt, realmId, id] = toEntry<ReservationRecord>(entry).key;
    const reservation = { createdAt: Number(createdAt), realmId: Number(realmId), id: String(id) };
    await transact(store, (tx) => releaseUploadSpace(tx, reservation), uploadLock(reservation.realmId));
  }
}

const MAX_METADATA_BYTES = 16 * 1024;

/**
 * @throws AppError CONTENT_TOO_LARGE beyond the maximum size of uploads or metadata, REALM_UPLOAD_QUOTA
 * without enough space, and RATE_LIMIT_HIT if the account has too many unfinished uploads.
 */
export async function createResumableUpload(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { size, metadata }: Pick<ResumableUploadRecord, "size" | "metadata">,
): Promise<ResumableUploadRecord> {
  if (size > app.config.uploadMaxMib * MIB) {
    throw new AppError("CONTENT_TOO_LARGE", uploadTooLarge(app).message);
  }
  if (serialize(metadata).byteLength > MAX_METADATA_BYTES) {
    throw new AppError("CONTENT_TOO_LARGE", `The metadata is larger than ${MAX_METADATA_BYTES} bytes.`);
  }
  await releaseExpiredUploads(app);
  const pending = namePending({ realmId: realm.id, now: app.clock.now() });
  const record: ResumableUploadRecord = {
    id: toHex(crypto.getRandomValues(new Uint8Array(16))),
    owner_id: actingUser.id,
    size,
    offset: 0,
    metadata,
    pending,
    created_at: app.clock.now(),
    upload_id: null,
  };
  await transact(app.store, async (tx) => {
    const reservation = { ...toReservationId(realm.id, record), owner_id: actingUser.id, bytes: size };
    await reserveUploadSpace(app, tx, reservation);
    tx.set(pendingKeys.pendingSince(pending), pending);
    tx.set(uploadKeys.resumable(realm.id, record.id), record, { expireIn: RESUMABLE_UPLOAD_MS });
  }, uploadLock(realm.id));
  return record;
}

function toReservationId(realmId: number, { id, created_at }: ResumableUploadRecord): ReservationId {
  return { realmId, id, createdAt: created_at };
}

/** Returns the caller's resumable upload with an id; null if missing, expired or owned by another user. */
export async function readResumableUpload(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: string,
): Promise<ResumableUploadRecord | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const record = await readRecord<ResumableUploadRecord>(app.store.kv, uploadKeys.resumable(realm.id, id));
  // The store removes an expired record some time later.
  const isLive = record !== null && record.created_at + RESUMABLE_UPLOAD_MS > app.clock.now();
  return isLive && record.owner_id === actingUser.id ? record : null;
}

/**
 * Appends bytes to a resumable upload and returns its new offset. If the content fails, the bytes received
 * before are stored, the offset is saved, and the error is rethrown.
 */
export async function appendToResumableUpload(
  app: ChatApp,
  realmId: number,
  { record, content }: { record: ResumableUploadRecord; content: AsyncIterable<Uint8Array> },
): Promise<number> {
  if (record.offset === record.size) {
    // The upload may have a record already. The content is only read, because the protocol's library refuses
    // more bytes.
    for await (const _ of content);
    return record.offset;
  }
  const key = uploadKeys.blob(realmId, record.pending.blob);
  // The last chunk may be incomplete, so its bytes are written again.
  const firstChunk = Math.floor(record.offset / CHUNK_BYTES);
  const start = firstChunk * CHUNK_BYTES;
  const received = new InterruptibleContent(content);
  const stored = readBlob(app.store.kv, key, { start, end: record.offset });
  const size = await appendBlob(app.store, key, {
    content: concatenate(stored, received.pieces()),
    firstChunk,
    recordBytes: serialize(record.metadata).byteLength,
    recordProgress: (commit, size) => {
      const saved = { ...record, offset: start + size };
      const expireIn = Math.max(1, record.created_at + RESUMABLE_UPLOAD_MS - app.clock.now());
      commit.set([...uploadKeys.resumable(realmId, record.id)], saved, { expireIn });
    },
  });
  received.rethrow();
  return start + size;
}

/**
 * Creates an upload from a complete resumable upload. Idempotent: later calls return the same upload.
 * @throws AppError REALM_UPLOAD_QUOTA, or NOT_FOUND if the upload is missing or was removed.
 */
export function finishResumableUpload(app: ChatApp, uploader: Caller, id: string): Promise<UploadRecord> {
  return app.store.queues.run(`resumable ${uploader.realm.id} ${id}`, async () => {
    const record = await readResumableUpload(app, uploader, id);
    const upload = record === null ? null : await toUpload(app, uploader, record);
    if (upload === null) throw new AppError("NOT_FOUND", "Nothing is here.");
    return upload;
  });
}

async function toUpload(
  app: ChatApp,
  uploader: Caller,
  record: ResumableUploadRecord,
): Promise<UploadRecord | null> {
  const { kv } = app.store;
  const realmId = uploader.realm.id;
  const { id, size, pending, upload_id } = record;
  if (upload_id !== null) return await readRecord<UploadRecord>(kv, uploadKeys.upload(realmId, upload_id));
  const range = { start: 0, end: Math.min(size, HEAD_BYTES) };
  const head = await new Response(readBlob(kv, uploadKeys.blob(realmId, pending.blob), range)).bytes();
  const { filename, filetype, name } = record.metadata;
  return await createUpload(app, uploader, {
    stored: { pending, size, head },
    reservation: toReservationId(realmId, record),
    file: { name: filename ?? name ?? "", contentType: filetype ?? undefined },
    onCreate(tx, upload) {
      const finished = { ...record, offset: size, upload_id: upload.id };
      tx.set(uploadKeys.resumable(realmId, id), finished, { expireIn: RESUMABLE_UPLOAD_MS });
    },
  });
}

/** Deletes an unfinished upload with the bytes stored so far. */
export async function deleteResumableUpload(
  app: ChatApp,
  realmId: number,
  record: ResumableUploadRecord,
): Promise<void> {
  await transact(app.store, async (tx) => {
    tx.delete(uploadKeys.resumable(realmId, record.id));
    await releaseUploadSpace(tx, toReservationId(realmId, record));
  }, uploadLock(realmId));
  await afterCommit(() => dropPending(app.store, record.pending));
}

async function* concatenate(
  ...parts: readonly AsyncIterable<Uint8Array>[]
): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

/** Content that may fail midway: its pieces end without an error, which `rethrow` throws later. */
class InterruptibleContent {
  private failure: { readonly error: unknown } | null = null;

  constructor(private readonly content: AsyncIterable<Uint8Array>) {}

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.content;
    } catch (error) {
      this.failure = { error };
    }
  }

  /** @throws the error with which the content failed, if it did. */
  rethrow(): void {
    if (this.failure !== null) throw this.failure.error;
  }
}
