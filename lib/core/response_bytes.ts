import { countTextBytes } from "./json_pieces.ts";
import { yieldToEventLoop } from "./yield_to_event_loop.ts";
import { Duplex } from "node:stream";
import { constants, createGzip } from "node:zlib";

/** Maximum length of the messages or events of one response, in bytes of JSON. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Bytes after which the event loop takes its turn. */
const SLICE_BYTES = 256 * 1024;

/** Counts the bytes that the parts of a response take. */
export class ResponseBytes {
  #total = 0;
  #sinceYield = 0;

  /** Whether the parts exceed MAX_RESPONSE_BYTES. */
  get isExceeded(): boolean {
    return this.#total > MAX_RESPONSE_BYTES;
  }

  get left(): number {
    return Math.max(0, MAX_RESPONSE_BYTES - this.#total);
  }

  /** Adds a part, and lets the event loop take its turn after many bytes. */
  async add(part: object): Promise<void> {
    await this.addText(JSON.stringify(part));
  }

  /** Adds the JSON text of a part, as `add` does. */
  async addText(text: string): Promise<void> {
    const bytes = countTextBytes(text);
    this.#total += bytes;
    this.#sinceYield += bytes;
    if (this.#sinceYield <= SLICE_BYTES) return;
    this.#sinceYield = 0;
    await yieldToEventLoop();
  }
}

/** Level of gzip: within a few percent of the smallest result, at half of its cost. */
export const GZIP_LEVEL = 2;

/**
 * Creates a stream that compresses each piece when it arrives, as one stream of gzip. It takes half of the time of
 * CompressionStream, which has a fixed level, for two percent more bytes.
 */
export function createGzipStream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return Duplex.toWeb(createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }));
}
