import type { AtomicOperation, Kv } from "./kv.ts";
import { BulkWriter } from "./bulk_writer.ts";
import { CommitQueue } from "./commit_queue.ts";
import { durably, type StoreTally } from "./durably.ts";
import type { Key } from "./key.ts";

/** Size of a stored chunk, in bytes; a value of the store holds at most 65,536. */
export const CHUNK_BYTES = 60 * 1024;
/** Chunks per commit, which holds 819,200 bytes at most. */
const CHUNKS_AT_ONCE = 6;
/** Size of a blob's first buffer in bytes, because most files are small; larger ones continue in a full one. */
const FIRST_BYTES = 8 * 1024;
/** Chunks per commit while several blobs are written, and in the first one, so that many of them fit into memory. */
const FEW_CHUNKS = 3;

/** Size of a commit of blobs in bytes; the store takes 819,200 with keys. */
const MAX_BYTES = 720 * 1024;
/** Writes of blobs in one commit, which holds 1,000 writes at most. */
const MAX_ITEMS = 64;
/**
 * Beyond so many writes that run or wait, or so many writers, it is crowded. More writers are allowed, because the
 * bytes of most may arrive slowly.
 */
const MAX_WAITING = 4;
const MAX_WRITERS = 32;

/** A database, and the counters of its commits. */
interface BlobDatabase {
  readonly kv: Kv;
  readonly tally: StoreTally;
}

/** Writes of one blob that are committed together. */
interface BlobWrite {
  /** Size of the values in bytes, beside some hundred of small records. */
  readonly bytes: number;
  /** Adds the writes, a dozen at most, to a commit. */
  readonly addTo: (commit: AtomicOperation) => void;
}

/**
 * Commits the writes of all blobs of a process. One commit is under way at a time: parallel ones would only wait within
 * the store, with all that they hold. A commit that fails with UNAVAILABLE fails all writes in it.
 */
export class BlobWrites {
  readonly #queue: CommitQueue<BlobWrite, null>;
  #writers = 0;

  constructor({ kv, tally }: BlobDatabase) {
    this.#queue = new CommitQueue({
      maxItems: MAX_ITEMS,
      maxWeight: MAX_BYTES,
      weigh: ({ bytes }) => bytes,
      commit: async (writes) => {
        await durably({ tally }, () => {
          const commit = kv.atomic();
          for (const { addTo } of writes) addTo(commit);
          return commit.commit();
        });
        return writes.map(() => null);
      },
    });
  }

  submit(write: BlobWrite): Promise<null> {
    return this.#queue.submit(write);
  }

  /** Whether so many blobs are written that each should hold few bytes. */
  get isCrowded(): boolean {
    return this.#queue.depth > MAX_WAITING || this.#writers > MAX_WRITERS;
  }

  /** Counts the writer of a blob until it is disposed of. */
  enter(): Disposable {
    this.#writers++;
    return { [Symbol.dispose]: () => void this.#writers-- };
  }
}

/** The queue in which the writes of all blobs wait for their commits. */
export interface BlobStore {
  readonly blobWrites: BlobWrites;
}

/**
 * Stores bytes in chunks below `key`, several in each commit, and returns their size. Holds at most twice
 * CHUNKS_AT_ONCE chunks in memory, and FEW_CHUNKS while many blobs are written. The caller writes the record that
 * names the blob afterwards, so that an interrupted write remains invisible.
 * @throws AppError UNAVAILABLE when the store cannot be written.
 */
export async function writeBlob(
  store: BlobStore,
  key: Key,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  return await appendBlob(store, key, { content, firstChunk: 0 });
}

/** Bytes that are appended to the first chunks of a blob. */
interface Appended {
  readonly content: AsyncIterable<Uint8Array>;
  /** Number of the first chunk that is written. */
  readonly firstChunk: number;
  /** Adds a record to the first commit, which there is also without bytes; there is none by default. */
  readonly recordStart?: ((commit: AtomicOperation) => void) | undefined;
  /** Adds a record of the number of bytes stored so far to each commit with bytes; none by default. */
  readonly recordProgress?: (commit: AtomicOperation, size: number) => void;
  /** Size of the records in a commit, in bytes; 0 by default, for some hundred bytes. */
  readonly recordBytes?: number;
}

/** Stores bytes from one chunk of a blob onward, like `writeBlob`. */
export async function appendBlob(
  store: BlobStore,
  key: Key,
  { content, ...from }: Appended,
): Promise<number> {
  using _place = store.blobWrites.enter();
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
 * Collects bytes into chunks and chunks into commits. A second buffer is filled while the first one is written. While
 * many blobs are written, a writer has one small buffer, because the bytes of others arrive meanwhile.
 */
class ChunkWriter {
  /** The buffer that is filled; null before its first byte. */
  private buffer: Uint8Array | null = null;
  /** The buffer of the latest commit, to be used again after it; null if it has another size than the next one. */
  private written: Uint8Array | null = null;
  private chunks = FEW_CHUNKS;
  private writing: Promise<unknown> = Promise.resolve();
  private filled = 0;
  private size = 0;
  private next: number;
  private isStarted = false;

  constructor(
    private readonly store: BlobStore,
    private readonly key: Key,
    private readonly from: Omit<Appended, "content">,
  ) {
    this.next = from.firstChunk;
  }

  async write(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const buffer = this.buffer ??= new Uint8Array(this.isStarted ? this.bytesAtOnce : FIRST_BYTES);
      const taken = Math.min(piece.length - at, buffer.length - this.filled);
      buffer.set(piece.subarray(at, at + taken), this.filled);
      this.filled += taken;
      at += taken;
      if (this.filled === this.bytesAtOnce) await this.startCommit(buffer);
      else if (this.filled === buffer.length) this.buffer = enlarge(buffer, this.bytesAtOnce);
    }
  }

  /** Bytes that are collected for the next commit. */
  private get bytesAtOnce(): number {
    return this.chunks * CHUNK_BYTES;
  }

  /** Writes the rest and returns the number of bytes. */
  async end(): Promise<number> {
    if (this.filled > 0 && this.buffer !== null) await this.startCommit(this.buffer);
    else if (!this.isStarted && this.from.recordStart !== undefined) this.queueCommit(new Uint8Array(0));
    await this.writing;
    return this.size;
  }

  /** Settles when no write is under way, whatever its outcome. */
  async settled(): Promise<void> {
    await Promise.allSettled([this.writing]);
  }

  /** Waits for the previous commit, which may have failed, and for this one if many wait. */
  private async startCommit(buffer: Uint8Array): Promise<void> {
    await this.writing;
    this.queueCommit(buffer);
    const { isCrowded } = this.store.blobWrites;
    if (isCrowded) await this.writing;
    this.chunks = isCrowded ? FEW_CHUNKS : CHUNKS_AT_ONCE;
    const reusable = buffer.length === this.bytesAtOnce ? buffer : null;
    [this.buffer, this.written] = isCrowded ? [reusable, null] : [this.written, reusable];
  }

  private queueCommit(buffer: Uint8Array): void {
    const { key, next, isStarted, from: { recordStart, recordProgress, recordBytes = 0 } } = this;
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < this.filled; at += CHUNK_BYTES) {
      chunks.push(buffer.subarray(at, Math.min(at + CHUNK_BYTES, this.filled)));
    }
    const bytes = this.filled;
    const size = this.size += bytes;
    this.next += chunks.length;
    this.filled = 0;
    this.isStarted = true;
    const addTo = (commit: AtomicOperation) => {
      if (!isStarted) recordStart?.(commit);
      for (const [at, chunk] of chunks.entries()) commit.set([...key, next + at], chunk);
      if (bytes > 0) recordProgress?.(commit, size);
    };
    this.writing = this.store.blobWrites.submit({ bytes: bytes + recordBytes, addTo });
    // The next call awaits it.
    this.writing.catch(() => {});
  }
}

/** Copies a buffer into a larger one. */
function enlarge(buffer: Uint8Array, bytes: number): Uint8Array {
  const larger = new Uint8Array(bytes);
  larger.set(buffer);
  return larger;
}

/** Range of a blob's bytes, from `start` up to but not including `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Streams a range of a blob's bytes, several chunks at a time; a missing chunk is an error, never a gap. */
export function readBlob(
  kv: Kv,
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
export async function deleteBlob(store: BlobDatabase, key: Key): Promise<void> {
  const writer = new BulkWriter(store.kv, (atomic) => durably(store, () => atomic.commit()));
  for await (const entry of store.kv.list({ prefix: [...key] }, { batchSize: 10 })) {
    await writer.delete(entry.key);
  }
  await writer.flush();
}
