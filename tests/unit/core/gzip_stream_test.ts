import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { createGzipStream } from "@/lib/core/response_bytes.ts";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";

/** Bytes that repeat, so that later pieces are like earlier ones. */
const piece = fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: 4000 }))
  .map(([bytes, times]) => concat(Array.from({ length: times }, () => bytes)));

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(pieces));
}

async function gzip(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  const stream = ReadableStream.from(pieces).pipeThrough(createGzipStream());
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

Deno.test("createGzipStream() compresses any pieces to one stream of gzip", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
      const compressed = await gzip(pieces);
      const plain = concat(pieces);
      assert.deepEqual(new Uint8Array(gunzipSync(compressed)), plain);
      const reading = new Response(compressed).body?.pipeThrough(new DecompressionStream("gzip"));
      assert.deepEqual(new Uint8Array(await new Response(reading).arrayBuffer()), plain);
    }),
    numberOfRuns(50),
  );
});

Deno.test("createGzipStream() passes each piece on when it arrives", async () => {
  const { readable, writable } = createGzipStream();
  const [writer, reader] = [
    writable.getWriter(),
    readable.pipeThrough(new DecompressionStream("gzip")).getReader(),
  ];
  for (const text of ["first ", "second"]) {
    const [{ value }] = await Promise.all([reader.read(), writer.write(new TextEncoder().encode(text))]);
    assert.equal(new TextDecoder().decode(value), text);
  }
  await writer.close();
  assert.equal((await reader.read()).done, true);
});

Deno.test("createGzipStream() makes few bytes of pieces that repeat", async () => {
  const pieces = Array.from({ length: 20 }, () => new TextEncoder().encode("a plot of beans ".repeat(4000)));
  assert.ok((await gzip(pieces)).length < 20 * 64_000 / 50);
});
