import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { type Pack, pack } from "tar-stream";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { exportKeys, type ExportLease } from "@/lib/chat/register/exports/store.ts";
import { toError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readBlob, writeBlob } from "@/lib/store/blob.ts";
import { type PendingBlob, pendingKeys } from "@/lib/chat/organization/files/model.ts";
import { registerPending } from "@/lib/chat/organization/pending_blobs.ts";

/** Bytes as the parts of an archive pass them on. */
export type ByteSource = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * Bytes that are decompressed at once: a piece of highly compressible data grows by a factor of a thousand, and
 * blocks the event loop meanwhile.
 */
const COMPRESSED_BYTES = 4 * 1024;

/** Compresses bytes in the format gzip. */
export function compress(content: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return transform(content, new CompressionStream("gzip"));
}

/** Decompresses bytes in the format gzip, in small steps. */
function decompress(content: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return transform(splitPieces(content, COMPRESSED_BYTES), new DecompressionStream("gzip"));
}

/** Yields the same bytes in pieces of at most `size` bytes. */
async function* splitPieces(
  content: ByteSource,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of content) {
    for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size);
  }
}

/**
 * Yields the bytes that a stream makes of others. When the reader ends early, the source has ended as well before
 * that settles, unlike with `pipeThrough`: what it stores can be removed then.
 */
async function* transform(
  content: ByteSource,
  { readable, writable }: CompressionStream | DecompressionStream,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writer = writable.getWriter();
  const feeding = feed(content, writer).then(() => null, async (error: unknown) => {
    await writer.abort(error).catch(() => {});
    return toError(error);
  });
  try {
    for await (const piece of readable) yield piece;
  } finally {
    await readable.cancel().catch(() => {});
    const failure = await feeding;
    // deno-lint-ignore no-unsafe-finally -- It is the cause of the error of the reader.
    if (failure !== null) throw failure;
  }
}

async function feed(content: ByteSource, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
  for await (const piece of content) {
    await writer.ready;
    await writer.write(piece);
  }
  await writer.close();
}

export interface PackedFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  readonly content: ByteSource;
}

/** Yields the bytes of a tar archive; `now`, in milliseconds since 1970 UTC, is the time of its files. */
export async function* packFiles(
  files: AsyncIterable<PackedFile>,
  now: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const archive = pack();
  const packing = packAll(archive, files, new Date(now)).then(() => null, (error: unknown) => {
    archive.destroy();
    return toError(error);
  });
  try {
    for await (const piece of archive) yield new Uint8Array(piece);
  } finally {
    archive.destroy();
    const failure = await packing;
    // deno-lint-ignore no-unsafe-finally -- It is the cause of the error of the reader.
    if (failure !== null) throw failure;
  }
}

async function packAll(archive: Pack, files: AsyncIterable<PackedFile>, mtime: Date): Promise<void> {
  for await (const { path, size, content } of files) {
    const entry = archive.entry({ name: path, size, mtime, mode: 0o644 });
    entry.on("error", (error) => archive.destroy(error));
    for await (const piece of content) {
      if (!entry.write(piece)) await drained(archive, entry);
      if (archive.destroyed) throw new Error("The archive was closed before its end");
    }
    entry.end();
  }
  archive.finalize();
}

/** Settles when an entry takes more bytes, or when its archive is closed. */
function drained(archive: Pack, entry: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (archive.destroyed) return resolve();
    const go = () => {
      entry.off("drain", go);
      archive.off("close", go);
      resolve();
    };
    entry.on("drain", go);
    archive.on("close", go);
  });
}

/** Length of the text that is encoded at once, in UTF-16 units. */
const PIECE_LENGTH = 32 * 1024;
/** Bytes that are handled before the event loop takes its turn. */
const SLICE_BYTES = 64 * 1024;

/** A file of an archive: its path, size and digest. */
export interface FileSummary {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  readonly rows?: number;
}

/** A file whose size is known because its bytes were produced and stored, compressed. */
export interface StagedFile extends FileSummary {
  readonly rows: number;
  readonly blob: PendingBlob;
  readonly storedBytes: number;
}

/** The store and the reservation of an attempt, and the blobs that it has begun. */
export interface ExportAttempt {
  readonly app: ChatApp;
  readonly lease: ExportLease;
  readonly blobs: PendingBlob[];
}

/** Begins a blob, which is removed when the attempt ends unless it has received a record. */
export async function beginBlob({ app, lease, blobs }: ExportAttempt): Promise<PendingBlob> {
  const { id: realmId } = lease.leased.realm;
  const pending = await registerPending(app.store, {
    realmId,
    now: app.clock.now(),
    place: exportKeys.place,
  });
  blobs.push(pending);
  return pending;
}

/** Produces the lines of a file and stores them, because an archive states the size of a file before its bytes. */
export async function stageFile(
  attempt: ExportAttempt,
  path: string,
  lines: AsyncIterable<string>,
): Promise<StagedFile> {
  await attempt.lease.check();
  const blob = await beginBlob(attempt);
  const hash = createHash("sha256");
  let [size, rows] = [0, 0];
  async function* countLines() {
    for await (const line of lines) {
      rows++;
      yield `${line}\n`;
    }
  }
  async function* digest() {
    for await (const piece of encodeTexts(countLines())) {
      hash.update(piece);
      size += piece.length;
      yield piece;
    }
  }
  const content = compress(inSlices(attempt, digest()));
  const storedBytes = await writeBlob(attempt.app.store, pendingKeys.chunks(blob), content);
  return { path, size, rows, sha256: hash.digest("hex"), blob, storedBytes };
}

export function readStaged(
  { app }: Pick<ExportAttempt, "app">,
  { blob, storedBytes }: StagedFile,
): ByteSource {
  return decompress(readBlob(app.store.kv, pendingKeys.chunks(blob), { start: 0, end: storedBytes }));
}

/** Passes bytes on in slices, between which the event loop takes its turn and the reservation is renewed. */
export async function* inSlices(
  { lease }: Pick<ExportAttempt, "lease">,
  content: ByteSource,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  for await (const piece of splitPieces(content, SLICE_BYTES)) {
    bytes += piece.length;
    if (bytes >= SLICE_BYTES) {
      bytes = 0;
      await yieldToEventLoop();
      await lease.check();
    }
    yield piece;
  }
}

/** Encodes texts as UTF-8, short ones together. */
async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let text = "";
  for await (const each of texts) {
    text += each;
    if (text.length < PIECE_LENGTH) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}
