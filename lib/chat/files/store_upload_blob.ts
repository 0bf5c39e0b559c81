import { AppError } from "@/lib/core/errors.ts";
import { abandonPending, writePending } from "./store.ts";
import type { ChatApp } from "../app.ts";
import { MIB, namePending, type PendingBlob } from "./model.ts";

/** A file as it arrives in a request. */
export interface ReceivedFile {
  /** File name as the client sent it; empty if none. */
  readonly name: string;
  readonly contentType: string | undefined;
  /** The bytes of a piece are valid until the next one is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Stored bytes that have no upload record yet. */
export interface UploadBlob {
  readonly pending: PendingBlob;
  /** Size in bytes. */
  readonly size: number;
  /** First bytes, from which the charset of a text is guessed. */
  readonly head: Uint8Array;
}

/** Number of first bytes that are kept. */
const HEAD_BYTES = 4096;

/** Returns the error for a file beyond the maximum upload size. */
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
  const head = new HeadBuffer();
  try {
    const limit = app.config.uploadMaxMib * MIB;
    const limited = limitSize(content, { limit, head, toError: () => uploadTooLarge(app) });
    const size = await writePending(app.store, pending, limited);
    return { pending, size, head: head.toBytes() };
  } catch (error) {
    await abandonPending(app.store, pending);
    throw error;
  }
}

/** Buffer of the first bytes of a stream. */
class HeadBuffer {
  private readonly pieces: Uint8Array[] = [];
  private size = 0;

  add(piece: Uint8Array): void {
    if (this.size >= HEAD_BYTES) return;
    // `slice` of a Node.js buffer would return a view, which keeps the whole piece in memory.
    const kept = new Uint8Array(piece.subarray(0, HEAD_BYTES - this.size));
    this.pieces.push(kept);
    this.size += kept.length;
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

async function* limitSize(
  content: AsyncIterable<Uint8Array>,
  { limit, head, toError }: { limit: number; head: HeadBuffer; toError: () => AppError },
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > limit) throw toError();
    head.add(piece);
    yield piece;
  }
}
