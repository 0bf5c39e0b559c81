import assert from "node:assert/strict";
import { crc32, inflateSync } from "node:zlib";
import { encodePng } from "@/lib/core/png.ts";

/** Splits a PNG into its chunks and checks their checksums. */
function readChunks(png: Uint8Array<ArrayBuffer>): Map<string, Uint8Array> {
  const view = new DataView(png.buffer);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(view.getUint32(at + 8 + length), crc32(body));
    chunks.set(new TextDecoder().decode(body.subarray(0, 4)), body.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

Deno.test("encodePng() writes the chunks of an indexed picture", async () => {
  const palette = [[255, 0, 0], [0, 0, 255]] as const;
  const chunks = readChunks(await encodePng({ size: 2, palette, pixels: Uint8Array.of(0, 1, 1, 0) }));
  assert.deepEqual([...chunks.keys()], ["IHDR", "PLTE", "IDAT", "IEND"]);
  assert.equal(chunks.get("IHDR")?.toHex(), "00000002000000020803000000");
  assert.equal(chunks.get("PLTE")?.toHex(), "ff00000000ff");
  assert.deepEqual([...inflateSync(chunks.get("IDAT") ?? "")], [0, 0, 1, 0, 1, 0]);
});
