import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { isTagKnown, toEtag } from "@/lib/core/bytes.ts";
import { gzipSync } from "node:zlib";
import { createGzipStream, GZIP_LEVEL } from "@/lib/core/response_bytes.ts";
import { chooseCoding } from "./accept.ts";
import type { PreparedJson } from "@/lib/services/compressed_assets.ts";

/** A response that an endpoint composes itself, in place of a plain object. */
export class EndpointResponse {
  constructor(
    readonly status: number,
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/**
 * Redirects a browser without allowing caches to keep the response: a cached one would skip counting a visit.
 */
export function redirectTo(location: string): EndpointResponse {
  return new EndpointResponse(302, null, { location, "cache-control": "no-store" });
}

/** Responds with a file to download. */
export function fileResponse(
  { body, type, name }: { body: string | Uint8Array<ArrayBuffer>; type: string; name: string },
): EndpointResponse {
  return new EndpointResponse(200, body, {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
  });
}

/** Responds with plain text of the given content type. */
export function textResponse(text: string, contentType: string): EndpointResponse {
  return new EndpointResponse(200, text, { "content-type": contentType, "cache-control": "no-store" });
}

/** Responds with JSON that is produced while it is sent; each piece is a part of the JSON text. */
export function streamedJson(pieces: AsyncIterator<string>): EndpointResponse {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new EndpointResponse(200, streamText(pieces), headers);
}

/** Streams a text piece by piece; the event loop serves other requests before each piece. */
export function streamText(
  pieces: AsyncIterator<string> | Iterator<string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await yieldToEventLoop();
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  }, { highWaterMark: 1 });
}

/**
 * Responds with JSON that clients may cache for `maxAge` seconds, with an ETag; 304 when the client has it
 * already.
 */
export async function cachedJson(
  body: unknown,
  maxAge: number,
  ifNoneMatch: string | null,
): Promise<EndpointResponse> {
  const text = JSON.stringify(body);
  const etag = await toEtag(new TextEncoder().encode(text));
  const headers = { etag, "cache-control": `public, max-age=${maxAge}` };
  if (isTagKnown(etag, ifNoneMatch)) return new EndpointResponse(304, null, headers);
  return new EndpointResponse(200, text, { ...headers, "content-type": "application/json" });
}

/** Value of Vary: responses depend on the caller, whom these headers identify. */
export const CALLER_HEADERS = "Authorization, Cookie";
/** A JSON text, or a stream of its pieces. */
type JsonBody = string | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Length from which a JSON text is compressed, in UTF-16 units. */
const MIN_LENGTH = 1024;

/**
 * Responds with JSON that contains keys or tokens. It is compressed neither here nor on its way: the length of
 * a compressed response says whether other parts of it, such as names that others choose, repeat the secret.
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

/**
 * Responds with the form of prepared JSON that a request accepts, cacheable for `maxAge` seconds; 304 when
 * the client has it already.
 */
export function preparedResponse(prepared: PreparedJson, maxAge: number, request: Headers): EndpointResponse {
  const coding = chooseCoding(request.get("accept-encoding"));
  const { bytes, etag } = prepared[coding];
  const headers = { etag, "cache-control": `public, max-age=${maxAge}`, vary: "accept-encoding" };
  if (isTagKnown(etag, request.get("if-none-match"))) return new EndpointResponse(304, null, headers);
  const encoding: Record<string, string> = coding === "identity" ? {} : { "content-encoding": coding };
  return new EndpointResponse(200, bytes, { ...headers, ...encoding, "content-type": "application/json" });
}
