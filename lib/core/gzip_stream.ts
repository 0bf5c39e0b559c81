import { Duplex } from "node:stream";
import { constants, createGzip } from "node:zlib";

/** Level of gzip: within a few percent of the smallest result, at half of its cost. */
export const GZIP_LEVEL = 2;

/**
 * Creates a stream that compresses each piece when it arrives, as one stream of gzip. It takes half of the time of
 * CompressionStream, which has a fixed level, for two percent more bytes.
 */
export function createGzipStream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return Duplex.toWeb(createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }));
}
