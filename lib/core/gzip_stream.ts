import { constants, crc32, deflateRawSync } from "node:zlib";

/** Level of gzip: within a few percent of the smallest result, at half of its cost. */
export const GZIP_LEVEL = 2;

/** Method of compression (deflate), no flags, no time, no extra flags, and an unknown system (RFC 1952). */
const HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/** An empty last block of deflate (RFC 1951). */
const LAST_BLOCK = [3, 0];
const TRAILER_BYTES = 8;
const OPTIONS = { level: GZIP_LEVEL, finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Creates a stream that compresses each piece when it arrives, as one stream of gzip. It takes two fifths of the time of
 * CompressionStream, which has a fixed level, for an eighth more bytes.
 */
export function createGzipStream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let checksum = 0;
  let size = 0;
  return new TransformStream({
    transform(piece, controller) {
      if (piece.length === 0) return;
      if (size === 0) controller.enqueue(Uint8Array.from(HEADER));
      checksum = crc32(piece, checksum);
      size += piece.length;
      controller.enqueue(new Uint8Array(deflateRawSync(piece, OPTIONS)));
    },
    flush(controller) {
      if (size === 0) controller.enqueue(Uint8Array.from(HEADER));
      const end = new Uint8Array(LAST_BLOCK.length + TRAILER_BYTES);
      end.set(LAST_BLOCK);
      const view = new DataView(end.buffer, LAST_BLOCK.length);
      view.setUint32(0, checksum, true);
      view.setUint32(4, size, true);
      controller.enqueue(end);
    },
  });
}
