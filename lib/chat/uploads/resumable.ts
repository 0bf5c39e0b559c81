import { toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { appendBlob, CHUNK_BYTES, readBlob } from "@/lib/kv/blob.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { listValues } from "@/lib/kv/list_values.ts";
import { dropPending, type PendingBlob } from "@/lib/kv/pending_blob.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { requireSpace } from "./space.ts";
import { beginBlob, keepUpload, tooLarge } from "./store_upload.ts";
import { PENDING_MS } from "./sweep_uploads.ts";
import { MIB, uploadKeys, type UploadRecord } from "./upload.ts";

/** An upload that comes in parts. */
export interface ResumableRecord {
  /** 32 random hexadecimal digits. */
  readonly id: string;
  readonly owner_id: number;
  /** Bytes that it is to have. */
  readonly size: number;
  /** Bytes that are stored. */
  readonly offset: number;
  /** As the client sent it. */
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly pending: PendingBlob;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** What it became once it was whole. */
  readonly upload_id: number | null;
}

/** How long an upload may take, in milliseconds; what is not whole by then is removed. */
export const RESUMABLE_MS = PENDING_MS;
/** Uploads that one account may have begun. */
const MAX_OPEN = 100;
/** Bytes that are looked at to tell what a text is written in. */
const START_BYTES = 4096;

/**
 * Begins an upload of so many bytes.
 * @throws AppError CONTENT_TOO_LARGE beyond the maximum, REALM_UPLOAD_QUOTA where there is no room for it, RATE_LIMIT_HIT
 * for one that begins too many.
 */
export async function beginResumable(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { size, metadata }: Pick<ResumableRecord, "size" | "metadata">,
): Promise<ResumableRecord> {
  if (size > app.config.uploadMaxMib * MIB) {
    throw new AppError("CONTENT_TOO_LARGE", tooLarge(app).message);
  }
  const prefix = [...uploadKeys.resumablesOf(realm.id, actingUser.id)];
  const begun = await listValues<number>(app.store.kv, prefix);
  if (begun.filter((time) => !isExpired(app, time)).length >= MAX_OPEN) {
    throw new AppError("RATE_LIMIT_HIT", "Too many uploads are under way.");
  }
  const pending = await beginBlob(app, realm.id);
  const record: ResumableRecord = {
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
    // What counts is what is stored in the end.
    await requireSpace(app, tx, { realmId: realm.id, bytes: size });
    tx.set(uploadKeys.resumable(realm.id, record.id), record, { expireIn: RESUMABLE_MS });
    tx.set([...prefix, record.id], record.created_at, { expireIn: RESUMABLE_MS });
  });
  return record;
}

/** One's own upload that has begun; null where there is none with this id. */
export async function readResumable(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: string,
): Promise<ResumableRecord | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const record = await readRecord<ResumableRecord>(app.store.kv, uploadKeys.resumable(realm.id, id));
  return record?.owner_id === actingUser.id && !isExpired(app, record.created_at) ? record : null;
}

/** Whether an upload that began at `time` is too old to go on; the store removes it some time later. */
function isExpired({ clock }: Pick<ChatApp, "clock">, time: number): boolean {
  return time + RESUMABLE_MS <= clock.now();
}

/**
 * Puts bytes behind those that are stored, and gives how many there are then. When they break off, those that came are
 * kept and noted, and the error is thrown on.
 */
export async function appendResumable(
  app: ChatApp,
  realmId: number,
  { record, content }: { record: ResumableRecord; content: AsyncIterable<Uint8Array> },
): Promise<number> {
  if (record.offset === record.size) {
    // What comes behind the end is refused while it is read; what is whole may be an upload already.
    for await (const _ of content);
    return record.offset;
  }
  const key = uploadKeys.blob(realmId, record.pending.blob);
  const firstChunk = Math.floor(record.offset / CHUNK_BYTES);
  const from = firstChunk * CHUNK_BYTES;
  const arrived = new Arrived(content);
  const stored = readBlob(app.store.kv, key, { start: from, end: record.offset });
  const size = await appendBlob(app.store, key, {
    content: oneAfterTheOther(stored, arrived.pieces()),
    firstChunk,
    note: (commit, size) => {
      const noted = { ...record, offset: from + size };
      const expireIn = Math.max(1, record.created_at + RESUMABLE_MS - app.clock.now());
      commit.set([...uploadKeys.resumable(realmId, record.id)], noted, { expireIn });
    },
  });
  arrived.rethrow();
  return from + size;
}

/**
 * Makes an upload of what is whole; asked again, it gives the same one.
 * @throws AppError REALM_UPLOAD_QUOTA, or NOT_FOUND where there is none, or no more.
 */
export function finishResumable(app: ChatApp, uploader: Caller, id: string): Promise<UploadRecord> {
  return app.store.queues.run(`resumable ${uploader.realm.id} ${id}`, async () => {
    const record = await readResumable(app, uploader, id);
    const upload = record === null ? null : await becomeUpload(app, uploader, record);
    if (upload === null) throw new AppError("NOT_FOUND", "Nothing is here.");
    return upload;
  });
}

async function becomeUpload(
  app: ChatApp,
  uploader: Caller,
  record: ResumableRecord,
): Promise<UploadRecord | null> {
  const { kv } = app.store;
  const realmId = uploader.realm.id;
  const { id, owner_id, size, pending, upload_id } = record;
  if (upload_id !== null) return await readRecord<UploadRecord>(kv, uploadKeys.upload(realmId, upload_id));
  const key = uploadKeys.blob(realmId, pending.blob);
  const head = readBlob(kv, key, { start: 0, end: Math.min(size, START_BYTES) });
  const start = new Uint8Array(await new Response(head).arrayBuffer());
  const { filename, filetype, name } = record.metadata;
  return await keepUpload(app, uploader, {
    stored: { pending, size, start },
    file: { name: filename ?? name ?? "", contentType: filetype ?? undefined },
    note(tx, upload) {
      const finished = { ...record, offset: size, upload_id: upload.id };
      tx.set(uploadKeys.resumable(realmId, id), finished, { expireIn: RESUMABLE_MS });
      tx.delete([...uploadKeys.resumablesOf(realmId, owner_id), id]);
    },
  });
}

/** Ends an upload that is not whole, with what came of it. */
export async function removeResumable(app: ChatApp, realmId: number, record: ResumableRecord): Promise<void> {
  await transact(app.store, (tx) => {
    tx.delete(uploadKeys.resumable(realmId, record.id));
    tx.delete([...uploadKeys.resumablesOf(realmId, record.owner_id), record.id]);
    return Promise.resolve();
  });
  await dropPending(app.store, record.pending);
}

async function* oneAfterTheOther(
  ...parts: readonly AsyncIterable<Uint8Array>[]
): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

/** Bytes that may break off: what came until then counts. */
class Arrived {
  private broken: { readonly error: unknown } | null = null;

  constructor(private readonly content: AsyncIterable<Uint8Array>) {}

  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.content;
    } catch (error) {
      this.broken = { error };
    }
  }

  /** @throws what the bytes broke off with. */
  rethrow(): void {
    if (this.broken !== null) throw this.broken.error;
  }
}
