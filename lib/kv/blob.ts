import type { Key } from "./key.ts";
import { retryLocked } from "./retry.ts";

/** Bytes in one stored chunk; a value of the store holds at most 65,536. */
export const CHUNK_BYTES = 60 * 1024;
const DELETES_AT_ONCE = 500;

/**
 * Stores a stream in chunks below `key` and gives its size in bytes. Never holds more than two chunks in memory. The
 * caller writes the record that names the blob afterwards, so that an interrupted write leaves nothing that is seen.
 */
export async function writeBlob(kv: Deno.Kv, key: Key, content: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0;
  let chunk = 0;
  const pending = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  const flush = async () => {
    const value = pending.slice(0, filled);
    await retryLocked(() => kv.set([...key, chunk], value));
    chunk++;
    size += filled;
    filled = 0;
  };
  for await (let piece of content) {
    while (piece.length > 0) {
      const taken = Math.min(piece.length, CHUNK_BYTES - filled);
      pending.set(piece.subarray(0, taken), filled);
      filled += taken;
      piece = piece.subarray(taken);
      if (filled === CHUNK_BYTES) await flush();
    }
  }
  if (filled > 0) await flush();
  return size;
}

/** Which bytes of a blob are wanted: from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Streams a range of a blob's bytes; a missing chunk is an error, never a gap. */
export function readBlob(
  kv: Deno.Kv,
  key: Key,
  { start, end }: ByteRange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  return new ReadableStream({
    async pull(controller) {
      if (at >= end) return controller.close();
      const number = Math.floor(at / CHUNK_BYTES);
      const { value } = await kv.get<Uint8Array<ArrayBuffer>>([...key, number]);
      const from = at - number * CHUNK_BYTES;
      if (value === null || value.length <= from) {
        throw new RangeError(`Chunk ${number} of a stored file is missing`);
      }
      const piece = value.subarray(from, Math.min(value.length, from + end - at));
      at += piece.length;
      controller.enqueue(piece);
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
