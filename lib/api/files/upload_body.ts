import { finished, type Readable } from "node:stream";
import busboy from "busboy";
import {
  createUpload,
  type ReceivedFile,
  storeUploadBlob,
  uploadTooLarge,
} from "@/lib/chat/messages/files/create_upload.ts";
import { AppError } from "@/lib/core/errors.ts";
import { contentTypeOf, isMultipart, requireUnencoded } from "../body.ts";
import type { BodySource } from "@/lib/core/body_arrival.ts";
import { type BodyPace, PaceWatch } from "../body_pace.ts";
import { FilePieces } from "./file_pieces.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { MIB } from "@/lib/chat/organization/files/model.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { abandonPending } from "@/lib/chat/organization/pending_blobs.ts";

/** Limits of an upload and the actions that store it. */
export interface UploadRules<T> {
  /** Maximum declared size of the whole body, in bytes. */
  readonly maxBytes: number;
  readonly tooLarge: () => AppError;
  readonly noFile: () => AppError;
  readonly tooMany: () => AppError;
  /** Reports the name of a field that is not a file. */
  readonly ignore: (name: string) => void;
  /** Stores the file's bytes, all of them. */
  readonly store: (file: ReceivedFile) => Promise<T>;
  /** Reverts the storing when the rest of the body turns out to be invalid. */
  readonly undo: (stored: T) => Promise<void>;
}

/** Time limits of an upload, in milliseconds. What takes longer is sent in parts, as a resumable upload. */
const UPLOAD_PACE: BodyPace = { deadlineMs: 60 * 60 * 1000, idleMs: 30_000 };
/** Bytes read at a time. Reads of 8 KiB took the main thread more time than storing the bytes. */
const PIECE_BYTES = 64 * 1024;
/** Bytes that the parser buffers; with one byte, it reports a piece as written only after passing its bytes on. */
const PARSER_BYTES = 1;
/** Values of fields are not used, and the parser would keep them as views of the reused buffer. */
const LIMITS = { files: 2, fields: 100, fieldSize: 0, parts: 110, headerPairs: 50 };

/**
 * Streams the one file of a multipart body to `rules.store`, so that it is never whole in memory.
 * @throws AppError as the rules state; REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST for a body that
 * cannot be read.
 */
export async function receiveFile<T>(source: BodySource, rules: UploadRules<T>): Promise<T> {
  const request = source.req;
  if (request.body === null || !isMultipart(request)) throw rules.noFile();
  requireUnencoded(request);
  if (Number(request.headers.get("content-length") ?? 0) > rules.maxBytes) throw rules.tooLarge();
  const parser = openParser(contentTypeOf(request));
  const pieces = arriving(source);
  const stored: Promise<T>[] = [];
  const file = new FilePieces();
  let count = 0;
  const done = new Promise<void>((resolve, reject) => {
    parser.on("error", (cause) => reject(unreadable(cause)));
    parser.on("close", resolve);
    parser.on("file", (_field, content, { filename, mimeType }) => {
      if (++count > 1) return void content.on("error", () => {}).resume();
      passOn(content, file);
      const work = rules.store({ name: filename ?? "", contentType: mimeType, content: file });
      // A refusal stops reading at once.
      work.finally(() => file.close()).catch(reject);
      stored.push(work);
    });
    parser.on("field", ifNamed(rules.ignore));
    feed(parser, pieces, { noFile: rules.noFile, file }).catch(reject);
  });
  try {
    await done;
  } catch (error) {
    parser.destroy();
    const [first] = await Promise.allSettled(stored);
    if (first?.status === "fulfilled") await rules.undo(first.value);
    throw error;
  }
  const [first] = stored;
  if (first === undefined) throw rules.noFile();
  const result = await first;
  if (count === 1) return result;
  await rules.undo(result);
  throw rules.tooMany();
}

/** Passes the bytes of a part to the reader of the file, and the error if the body ends early. */
function passOn(content: Readable, file: FilePieces): void {
  content.on("data", (piece: Uint8Array) => file.add(piece));
  finished(content, (error) => file.end(error ?? null));
}

/** Skips parts without a name, for which the parser reports undefined although its types do not say so. */
function ifNamed(report: (name: string) => void): (name: string | undefined) => void {
  return (name) => {
    if (name !== undefined) report(name);
  };
}

/** Writes each piece to the parser after the previous one was consumed, until the pieces or the parser end. */
async function feed(
  parser: busboy.Busboy,
  pieces: AsyncIterable<Uint8Array>,
  { noFile, file }: Pick<UploadRules<unknown>, "noFile"> & { readonly file: FilePieces },
): Promise<void> {
  let isEmpty = true;
  for await (const piece of pieces) {
    if (parser.destroyed) return;
    if (piece.length > 0) isEmpty = false;
    if (!parser.write(piece)) await drained(parser);
    await file.consumed();
  }
  // Some clients send a form without fields as an empty body.
  if (isEmpty) throw noFile();
  parser.end();
}

function drained(parser: busboy.Busboy): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      parser.off("drain", go).off("close", go);
      resolve();
    };
    parser.on("drain", go).on("close", go);
  });
}

function openParser(type: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": type },
      limits: LIMITS,
      highWaterMark: PARSER_BYTES,
      fileHwm: PARSER_BYTES,
      defParamCharset: "utf8",
      preservePath: true,
    });
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): AppError {
  return new AppError("BAD_REQUEST", "The form cannot be read.", { cause });
}

/**
 * Yields the pieces of a request's body, each of which is valid until the next one is asked for; none without a body.
 * @throws AppError REQUEST_TIMEOUT when they arrive too slowly, BAD_REQUEST when the body ends early.
 */
export async function* arriving(source: BodySource): AsyncGenerator<Uint8Array> {
  const { body } = source.req;
  if (body === null) return;
  const reader = openReader(body);
  let lateError: AppError | null = null;
  using pace = new PaceWatch(source, UPLOAD_PACE, (error) => {
    lateError = error;
    reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      pace.isWaiting = true;
      const { done, value } = await reader.read();
      pace.isWaiting = false;
      if (lateError !== null) throw lateError;
      if (done) return;
      pace.add(value.length);
      yield value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("BAD_REQUEST", "The body ended early.", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Opens a reader that reads pieces of PIECE_BYTES from the network. */
function openReader(
  body: ReadableStream<Uint8Array>,
): Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel"> {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = body.getReader({ mode: "byob" });
  } catch {
    // Bodies that arrived with their headers, or are made within the process, are not streams of bytes.
    return body.getReader();
  }
  // Of buffers that are used once, the runtime keeps some 64 MiB until it collects them.
  let buffer = new ArrayBuffer(PIECE_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done || value === undefined) return { done: true, value: undefined };
      buffer = value.buffer;
      return { done: false, value };
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Size of a multipart body besides its file, in bytes. */
const OVERHEAD_BYTES = MIB;

/**
 * Stores the one file of a request and returns its path.
 * @throws AppError REALM_UPLOAD_QUOTA, REQUEST_TIMEOUT, or BAD_REQUEST for no file, several files, or one
 * that is too large.
 */
export async function uploadFile(
  app: ChatApp,
  uploader: Caller,
  { source, ignore }: { source: BodySource; ignore: (name: string) => void },
): Promise<{ url: string; uri: string; filename: string }> {
  const { file, stored } = await receiveFile(source, {
    maxBytes: app.config.uploadMaxMib * MIB + OVERHEAD_BYTES,
    tooLarge: () => uploadTooLarge(app),
    noFile: () => new AppError("BAD_REQUEST", "You must specify a file to upload"),
    tooMany: () => new AppError("BAD_REQUEST", "You may only upload one file at a time"),
    ignore,
    store: async (file: ReceivedFile) => ({
      file,
      stored: await storeUploadBlob(app, uploader.realm.id, file.content),
    }),
    undo: ({ stored }) => abandonPending(app.store, stored.pending),
  });
  const upload = await createUpload(app, uploader, { stored, file });
  const url = `/user_uploads/${upload.path_id}`;
  return { url, uri: url, filename: upload.name };
}
