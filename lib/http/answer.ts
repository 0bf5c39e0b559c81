/** What an endpoint may give back instead of a plain object. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** Sends a browser on, without anybody keeping that answer: a kept one would be a visit that is not counted. */
export function redirectTo(location: string): Answer {
  return new Answer(302, null, { location, "cache-control": "no-store" });
}

/** Plain text of a given type. */
export function textAnswer(text: string, contentType: string): Answer {
  return new Answer(200, text, { "content-type": contentType, "cache-control": "no-store" });
}

/** JSON that is sent while it is made, piece by piece; a piece is a part of the JSON text. */
export function streamedJson(pieces: AsyncIterator<string>): Answer {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  }, { highWaterMark: 1 });
  return new Answer(200, body, { "content-type": "application/json", "cache-control": "no-store" });
}

/** JSON that may be kept for `maxAge` seconds, with an ETag; 304 without a body when the client has it already. */
export async function cachedJson(body: unknown, maxAge: number, ifNoneMatch: string | null): Promise<Answer> {
  const text = JSON.stringify(body);
  const etag = await toEtag(new TextEncoder().encode(text));
  const headers = { etag, "cache-control": `public, max-age=${maxAge}` };
  if (isTagKnown(etag, ifNoneMatch)) return new Answer(304, null, headers);
  return new Answer(200, text, { ...headers, "content-type": "application/json" });
}

/** A strong ETag of some bytes. */
export async function toEtag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return `"${new Uint8Array(digest).toHex().slice(0, 32)}"`;
}

/** Whether a header If-None-Match names an ETag. */
export function isTagKnown(etag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
