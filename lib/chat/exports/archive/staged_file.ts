import { createHash } from "node:crypto";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { readBlob, writeBlob } from "@/lib/store/blob.ts";
import { registerPending } from "@/lib/chat/files/store.ts";
import { type PendingBlob, pendingKeys } from "@/lib/chat/files/model.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { ExportLease } from "../export_lease.ts";
import { exportKeys } from "../model.ts";
import { type ByteSource, compress, decompress, splitPieces } from "./transform_bytes.ts";

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
  /** Number of lines of a list. */
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

/** Returns the bytes of a staged file. */
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
