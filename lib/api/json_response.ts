import { gzipSync } from "node:zlib";
import { createGzipStream, GZIP_LEVEL } from "@/lib/core/gzip_stream.ts";
import { chooseCoding } from "./choose_coding.ts";

/** Value of Vary: responses depend on the caller, whom these headers identify. */
export const CALLER_HEADERS = "Authorization, Cookie";
/** A JSON text, or a stream of its pieces. */
type JsonBody = string | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Length from which a JSON text is compressed, in UTF-16 units. */
const MIN_LENGTH = 1024;

/**
 * Responds with JSON that contains keys or tokens. It is compressed neither here nor on its way: the length of
 * a compressed answer says whether other parts of it, such as names that others choose, repeat the secret.
 */
export function toSecretResponse(json: JsonBody): Response {
  return toResponse(json, { "cache-control": "no-store, no-transform" });
}

/**
 * Responds with JSON, compressed when it is longer than 1 kB, the client accepts gzip, and no page of another
 * site asks, which could learn the length. A stream is compressed piece by piece.
 */
export function toCompressedResponse(json: JsonBody, request: Headers): Response {
  if (typeof json === "string" && json.length <= MIN_LENGTH) return toResponse(json, {});
  const vary = `${CALLER_HEADERS}, Accept-Encoding`;
  const coding = chooseCoding(request.get("accept-encoding"), ["gzip", "identity"]);
  if (coding !== "gzip" || isFromOtherSite(request)) return toResponse(json, { vary });
  // Synchronous: in Deno, the asynchronous functions compress on the same thread, too.
  const body = typeof json === "string"
    ? new Uint8Array(gzipSync(json, { level: GZIP_LEVEL }))
    : json.pipeThrough(createGzipStream());
  return toResponse(body, { vary, "content-encoding": coding });
}

/** Whether a page of another site made the browser send a request. */
export function isFromOtherSite(request: Headers): boolean {
  const site = request.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function toResponse(body: BodyInit, headers: Readonly<Record<string, string>>): Response {
  const common = { "content-type": "application/json", "cache-control": "no-store", vary: CALLER_HEADERS };
  return new Response(body, { headers: { ...common, ...headers } });
}
