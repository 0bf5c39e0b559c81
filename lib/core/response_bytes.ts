import { countTextBytes } from "./json_pieces.ts";
import { yieldToEventLoop } from "./yield_to_event_loop.ts";

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
