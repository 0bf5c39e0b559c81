import type { Key } from "./key.ts";
import { retryLocked } from "./retry.ts";

/** Bytes in one stored chunk; a value of the store holds at most 65,536. */
export const CHUNK_BYTES = 60 * 1024;
const DELETES_AT_ONCE = 500;
/** Chunks of one commit, which holds 819,200 bytes at most: half of that, so that many uploads fit into memory. */
const CHUNKS_AT_ONCE = 6;

/**
 * Stores bytes in chunks below `key`, some in each commit, and gives their size. Never holds more than CHUNKS_AT_ONCE
 * chunks in memory. The caller writes the record that names the blob afterwards, so that an interrupted write leaves
 * nothing that is seen. With `from`, a multiple of CHUNK_BYTES, what comes is put behind what is there.
 */
export async function writeBlob(
  kv: Deno.Kv,
  key: Key,
  content: AsyncIterable<Uint8Array>,
  from = 0,
): Promise<number> {
  const first = from / CHUNK_BYTES;
  const writer = new ChunkWriter(kv, key, first);
  for await (const piece of content) await writer.write(piece);
  return await writer.end();
}

/** Gathers bytes to chunks, and chunks to commits. */
class ChunkWriter {
  private waiting: Uint8Array[] = [];
  private chunk = new Uint8Array(CHUNK_BYTES);
  private filled = 0;
  private size = 0;

  constructor(private readonly kv: Deno.Kv, private readonly key: Key, private next: number) {}

  async write(piece: Uint8Array): Promise<void> {
    for (let at = 0; at < piece.length;) {
      const taken = Math.min(piece.length - at, CHUNK_BYTES - this.filled);
      this.chunk.set(piece.subarray(at, at + taken), this.filled);
      this.filled += taken;
      at += taken;
      if (this.filled === CHUNK_BYTES) await this.finishChunk();
    }
  }

  /** The bytes that were written. */
  async end(): Promise<number> {
    if (this.filled > 0) await this.finishChunk();
    await this.commit();
    return this.size;
  }

  private async finishChunk(): Promise<void> {
    this.waiting.push(this.filled === CHUNK_BYTES ? this.chunk : this.chunk.slice(0, this.filled));
    this.size += this.filled;
    this.chunk = new Uint8Array(CHUNK_BYTES);
    this.filled = 0;
    if (this.waiting.length >= CHUNKS_AT_ONCE) await this.commit();
  }

  private async commit(): Promise<void> {
    const { waiting, next } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.next += waiting.length;
    await retryLocked(() => {
      const atomic = this.kv.atomic();
      for (const [at, value] of waiting.entries()) atomic.set([...this.key, next + at], value);
      return atomic.commit();
    });
  }
}

/** Which bytes of a blob are wanted: from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Streams a range of a blob's bytes, some chunks read at a time; a missing chunk is an error, never a gap. */
export function readBlob(
  kv: Deno.Kv,
  key: Key,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      if (at >= end) return controller.close();
      const first = Math.floor(at / CHUNK_BYTES);
      const last = Math.min(Math.floor((end - 1) / CHUNK_BYTES), first + CHUNKS_AT_ONCE - 1);
      const keys = Array.from({ length: last - first + 1 }, (_, more) => [...key, first + more]);
      for (const { value } of await kv.getMany<Uint8Array<ArrayBuffer>[]>(keys)) {
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

/** Removes every chunk below `key`, in bounded steps. */
export async function deleteBlob(kv: Deno.Kv, key: Key): Promise<void> {
  let atomic = kv.atomic();
  let size = 0;
  for await (const entry of kv.list({ prefix: [...key] }, { batchSize: 10 })) {
    atomic.delete(entry.key);
    if (++size < DELETES_AT_ONCE) continue;
    const full = atomic;
    await retryLocked(() => full.commit());
    atomic = kv.atomic();
    size = 0;
  }
  if (size > 0) await retryLocked(() => atomic.commit());
}
