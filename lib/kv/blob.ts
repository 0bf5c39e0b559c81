import { BulkWriter } from "./bulk_writer.ts";
import { durably } from "./durably.ts";
import type { Key } from "./key.ts";
import type { Store } from "./open.ts";

/** Size of a stored chunk, in bytes; a value of the store holds at most 65,536. */
export const CHUNK_BYTES = 60 * 1024;
/**
 * Chunks per commit, which holds 819,200 bytes at most: half of that, so that many uploads fit into memory.
 */
const CHUNKS_AT_ONCE = 6;

/** Store of blobs and the queue of their commits. */
export type BlobStore = Pick<Store, "kv" | "queues" | "tally">;

/**
 * Stores bytes in chunks below `key`, several in each commit, and returns their size. Holds at most twice
 * CHUNKS_AT_ONCE chunks in memory. The caller writes the record that names the blob afterwards, so that an
 * interrupted write remains invisible.
 * @throws AppError UNAVAILABLE when the store cannot be written.
 */
export async function writeBlob(
  store: BlobStore,
  key: Key,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  return await appendBlob(store, key, { content, firstChunk: 0, recordProgress: () => {} });
}

/** Bytes that are appended to the first chunks of a blob. */
export interface Appended {
  readonly content: AsyncIterable<Uint8Array>;
  /** Number of the first chunk that is written. */
  readonly firstChunk: number;
  /** Adds a record of the number of bytes stored so far to each commit. */
  readonly recordProgress: (commit: Deno.AtomicOperation, size: number) => void;
}

/** Stores bytes from one chunk of a blob onward, like `writeBlob`. */
export async function appendBlob(
  store: BlobStore,
  key: Key,
  { content, ...from }: Appended,
): Promise<number> {
  const writer = new ChunkWriter(store, key, from);
  try {
    for await (const piece of content) await writer.write(piece);
    return await writer.end();
  } finally {
    // A caller that removes what was written must not be overtaken by the rest of it.
    await writer.settled();
  }
}

/**
 * Collects bytes into chunks and chunks into commits; one of its two buffers is filled while the other is
 * written.
 */
class ChunkWriter {
  private buffer = newBuffer();
  private spare = newBuffer();
  private writing: Promise<unknown> = Promise.resolve();
  private filled = 0;
  private size = 0;
  private next: number;
  private readonly recordProgress: Appended["recordProgress"];

  constructor(
    private readonly store: BlobStore,
    private readonly key: Key,
    { firstChunk, recordProgress }: Omit<Appended, "content">,
  ) {
    this.next = firstChunk;
    this.recordProgress = recordProgress;
  }

  async write(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const taken = Math.min(piece.length - at, this.buffer.length - this.filled);
      this.buffer.set(piece.subarray(at, at + taken), this.filled);
      this.filled += taken;
      at += taken;
      if (this.filled === this.buffer.length) await this.startCommit();
    }
  }

  /** Writes the rest and returns the number of bytes. */
  async end(): Promise<number> {
    if (this.filled > 0) await this.startCommit();
    await this.writing;
    return this.size;
  }

  /** Settles when no write is under way, whatever its outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.writing]);
  }

  /** Waits for the previous commit, which may have failed. */
  private async startCommit(): Promise<void> {
    await this.writing;
    const { store, key, next, buffer } = this;
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < this.filled; at += CHUNK_BYTES) {
      chunks.push(buffer.subarray(at, Math.min(at + CHUNK_BYTES, this.filled)));
    }
    const size = this.size += this.filled;
    this.next += chunks.length;
    this.filled = 0;
    [this.buffer, this.spare] = [this.spare, buffer];
    // One commit at a time: parallel ones would only wait within the store, with all that they hold.
    this.writing = store.queues.run("blobs", () =>
      durably(store, () => {
        const atomic = store.kv.atomic();
        for (const [at, chunk] of chunks.entries()) atomic.set([...key, next + at], chunk);
        this.recordProgress(atomic, size);
        return atomic.commit();
      }));
    // The next call awaits it.
    this.writing.catch(() => {});
  }
}

function newBuffer(): Uint8Array {
  return new Uint8Array(CHUNKS_AT_ONCE * CHUNK_BYTES);
}

/** Range of a blob's bytes, from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Streams a range of a blob's bytes, several chunks at a time; a missing chunk is an error, never a gap. */
export function readBlob(
  kv: Deno.Kv,
  key: Key,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  const read = (first: number) => {
    const last = Math.min(Math.floor((end - 1) / CHUNK_BYTES), first + CHUNKS_AT_ONCE - 1);
    const keys = Array.from({ length: last - first + 1 }, (_, more) => [...key, first + more]);
    return keys.length === 0 ? null : kv.getMany<Uint8Array<ArrayBuffer>[]>(keys);
  };
  // The next chunks are read while the last ones are sent.
  let ahead: ReturnType<typeof read> = null;
  return new ReadableStream({
    async pull(controller) {
      if (at >= end) return controller.close();
      const first = Math.floor(at / CHUNK_BYTES);
      const reading = ahead ?? read(first);
      const entries = await reading ?? [];
      ahead = read(first + entries.length);
      ahead?.catch(() => {});
      for (const { value } of entries) {
        const number = Math.floor(at / CHUNK_BYTES);
        const from = at - number * CHUNK_BYTES;
        if (value === null || value.length <= from) {
          throw new RangeError(`Chunk ${number} of a stored file is missing`);
        }
        const piece = value.subarray(from, Math.min(value.length, from + end - at));
        at += piece.length;
        controller.enqueue(piece);
      }
    },
  }, { highWaterMark: 1 });
}

/**
 * Deletes every chunk below `key`, in bounded steps.
 * @throws AppError UNAVAILABLE when the store cannot be written.
 */
export async function deleteBlob(store: Pick<Store, "kv" | "tally">, key: Key): Promise<void> {
  const writer = new BulkWriter(store.kv, (atomic) => durably(store, () => atomic.commit()));
  for await (const entry of store.kv.list({ prefix: [...key] }, { batchSize: 10 })) {
    await writer.delete(entry.key);
  }
  await writer.flush();
}
