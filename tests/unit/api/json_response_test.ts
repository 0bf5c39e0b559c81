import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { streamText, toCompressedResponse, toSecretResponse } from "@/lib/api/response.ts";
import { countTurns } from "@/tests/helpers/event_loop.ts";

const GZIP = new Headers({ "accept-encoding": "gzip" });
const PIECES = 40;

/** Yields texts of some 64 KiB; `onEnd` is called when no more are read. */
function* pieces(onEnd: () => void): Generator<string> {
  try {
    for (let number = 0; number < PIECES; number++) yield `${number},`.repeat(20_000);
  } finally {
    onEnd();
  }
}

Deno.test("a stream is compressed piece by piece, and the event loop turns before each piece", async () => {
  let text = "";
  const turns = await countTurns(async () => {
    const response = toCompressedResponse(streamText(pieces(() => {})), GZIP);
    text = String(gunzipSync(await response.bytes()));
  });
  assert.equal(text, [...pieces(() => {})].join(""));
  assert.ok(turns >= PIECES, `${turns} turns`);
});

Deno.test("a client that leaves ends the production of a compressed stream", async () => {
  const ended = Promise.withResolvers<void>();
  const response = toCompressedResponse(streamText(pieces(ended.resolve)), GZIP);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await ended.promise;
});

Deno.test("texts are measured in UTF-16 units and compressed as UTF-8", async () => {
  const text = JSON.stringify("🌱é".repeat(400));
  const response = toCompressedResponse(text, GZIP);
  assert.equal(response.headers.get("content-encoding"), "gzip");
  assert.equal(String(gunzipSync(await response.bytes())), text);
});

Deno.test("a secret answer stays as it is, also when it is streamed", async () => {
  const response = toSecretResponse(streamText(pieces(() => {})));
  assert.equal(response.headers.get("content-encoding"), null);
  assert.equal(response.headers.get("cache-control"), "no-store, no-transform");
  assert.equal(await response.text(), [...pieces(() => {})].join(""));
});
