import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { isTagKnown, toEtag } from "@/lib/core/bytes.ts";

/** A response that an endpoint composes itself, in place of a plain object. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/**
 * Redirects a browser without allowing caches to keep the response: a cached one would skip counting a visit.
 */
export function redirectTo(location: string): Answer {
  return new Answer(302, null, { location, "cache-control": "no-store" });
}

/** Responds with a file to download. */
export function fileAnswer(
  { body, type, name }: { body: string | Uint8Array<ArrayBuffer>; type: string; name: string },
): Answer {
  return new Answer(200, body, {
    "content-type": type,
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
  });
}

/** Responds with plain text of the given content type. */
export function textAnswer(text: string, contentType: string): Answer {
  return new Answer(200, text, { "content-type": contentType, "cache-control": "no-store" });
}

/** Responds with JSON that is produced while it is sent; each piece is a part of the JSON text. */
export function streamedJson(pieces: AsyncIterator<string>): Answer {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Answer(200, streamText(pieces), headers);
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
export async function cachedJson(body: unknown, maxAge: number, ifNoneMatch: string | null): Promise<Answer> {
  const text = JSON.stringify(body);
  const etag = await toEtag(new TextEncoder().encode(text));
  const headers = { etag, "cache-control": `public, max-age=${maxAge}` };
  if (isTagKnown(etag, ifNoneMatch)) return new Answer(304, null, headers);
  return new Answer(200, text, { ...headers, "content-type": "application/json" });
}
