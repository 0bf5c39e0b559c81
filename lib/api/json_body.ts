import { isJsonLongerThan, jsonPieces, toJsonText } from "@/lib/core/json_pieces.ts";
import { streamText } from "./answer.ts";

/** Length of a JSON text up to which it is sent as a whole, in UTF-16 units. */
const MAX_WHOLE = 128 * 1024;

/**
 * Returns the body of a JSON answer: a text, or a stream for a long one, which is serialized and compressed
 * while it is sent, in pieces between which the event loop serves other requests.
 */
export function toJsonBody(value: object): string | ReadableStream<Uint8Array<ArrayBuffer>> {
  return isJsonLongerThan(value, MAX_WHOLE) ? streamText(jsonPieces(value)) : toJsonText(value);
}
