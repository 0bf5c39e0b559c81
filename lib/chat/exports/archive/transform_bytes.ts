import { toError } from "@/lib/core/errors.ts";

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
export function decompress(content: ByteSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return transform(splitPieces(content, COMPRESSED_BYTES), new DecompressionStream("gzip"));
}

/** Yields the same bytes in pieces of at most `size` bytes. */
export async function* splitPieces(
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
