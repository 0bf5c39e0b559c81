import assert from "node:assert/strict";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";

/** Length of a header's value: servers accept up to 64 kB. */
const LENGTH = 60_000;
/** Longest processor time of a request, in milliseconds; quadratic reading took seconds. */
const MAX_MS = 60;
/** Measurements before a request counts as too costly. */
const ATTEMPTS = 6;

/** Beginnings after which the values of headers are read further. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  "accept": ["text/html,", "text/html;q="],
  "accept-encoding": ["", "gzip;q="],
  "accept-language": ["", "en;q="],
  "access-control-request-headers": [""],
  "authorization": ["", "Basic ", "Bearer ", "Digest "],
  "content-encoding": ["", "identity"],
  "content-type": [
    "",
    "application/json",
    "application/json;",
    "application/json;charset",
    "application/x-www-form-urlencoded",
    "multipart/form-data;",
    "multipart/form-data;boundary=",
  ],
  "cookie": ["", "sotto_session="],
  "forwarded": [""],
  "if-none-match": ["", "W/"],
  "last-event-id": [""],
  "origin": ["", "http://"],
  "prefer": [""],
  "range": ["bytes="],
  "referer": ["", "http://localhost/"],
  "sec-fetch-site": [""],
  "traceparent": ["00-"],
  "upload-metadata": ["", "filename "],
  "user-agent": ["", "Mozilla/5.0 ("],
  "x-forwarded-for": [""],
  "x-http-method-override": [""],
  "x-request-id": [""],
};
const PIECES = [" ", "\t", ",", ";", '"', "\\", "a=", "a ", ", ", ";q=", ' "', '\\"', "*/*,", "=;", "0"];

/** Requests without an account: two for every header, and each way to read a body for those about bodies. */
const REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ["POST", "/api/v1/fetch_api_key", "username=a&password=b"],
  ["GET", "/admin"],
  ["POST", "/", '{"url":"https://example.com"}'],
  ["POST", "/api/v1/external/json", "{}"],
  ["POST", "/api/v1/user_uploads", "--"],
  ["OPTIONS", "/api/v1/tus"],
];

async function send(app: TestApp, [method, path, body]: (typeof REQUESTS)[number], headers: HeadersInit) {
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await app.request(path, init);
  await response.body?.cancel();
  return response.status;
}

Deno.test("a long header of a request without an account takes little time", async (t) => {
  await using app = await startTestApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
  for (const [header, starts] of Object.entries(HEADERS)) {
    await t.step(header, async () => {
      const isOfBody = /^(?:content|upload|x-http)-/.test(header);
      for (const request of isOfBody ? REQUESTS : REQUESTS.slice(0, 2)) {
        for (const value of starts.flatMap((start) => PIECES.map((piece) => fill(start, piece)))) {
          let leastMs = Infinity;
          for (let attempt = 0; attempt < ATTEMPTS && leastMs > MAX_MS; attempt++) {
            const start = readThreadMs();
            const status = await send(app, request, { [header]: value });
            leastMs = Math.min(leastMs, readThreadMs() - start);
            assert.notEqual(status, 500);
          }
          assert.ok(leastMs <= MAX_MS, `${request[1]}, ${value.slice(0, 40)}…: ${leastMs} ms`);
        }
      }
    });
  }
});

/** Repeats a piece; the last character keeps blanks from being trimmed and makes expressions mismatch. */
function fill(start: string, piece: string): string {
  return `${start}${piece.repeat(LENGTH / piece.length)}!`;
}
