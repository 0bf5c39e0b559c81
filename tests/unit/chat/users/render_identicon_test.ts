import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { IDENTICON_SIZES, renderIdenticon } from "@/lib/chat/people/users/avatar.ts";

const { small, medium } = IDENTICON_SIZES;

Deno.test("renderIdenticon() returns the same picture for an id each time, and another one for other ids", async () => {
  const draw = async () => {
    const pictures = await Promise.all(Array.from({ length: 200 }, (_, id) => renderIdenticon(id, small)));
    return pictures.map((picture) => picture.toBase64());
  };
  const first = await draw();
  assert.deepEqual(await draw(), first);
  assert.ok(new Set(first).size > 195);
});

Deno.test("renderIdenticon() returns a complete PNG of the size that was asked for", async () => {
  for (const id of [0, 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    for (const size of [small, medium]) {
      const png = await renderIdenticon(id, size);
      const view = new DataView(png.buffer);
      assert.equal(png.subarray(0, 8).toHex(), "89504e470d0a1a0a");
      assert.deepEqual([view.getUint32(16), view.getUint32(20)], [size, size]);
      const text = new TextDecoder("latin1").decode(png);
      const start = text.indexOf("IDAT") + 4;
      const rows = inflateSync(png.subarray(start, text.indexOf("IEND") - 8));
      assert.equal(rows.length, size * (size + 1));
      const colors = view.getUint32(33) / 3;
      assert.ok(rows.every((index) => index < colors));
      assert.ok(new Set(rows).size > 2, "shapes on a ground");
    }
  }
});
