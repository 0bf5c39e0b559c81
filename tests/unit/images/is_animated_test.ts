import assert from "node:assert/strict";
import { isAnimated } from "@/lib/images/image_header.ts";
import { drawHalves, SMALL_IMAGES } from "@/tests/casts/images_cast.ts";

Deno.test("isAnimated() returns true for files with several pictures", async () => {
  const { gif, animatedGif, webp, animatedWebp } = SMALL_IMAGES;
  const files = [gif, animatedGif, webp, animatedWebp, await drawHalves(4)];
  assert.deepEqual(files.map(isAnimated), [false, true, false, true, false]);
});

Deno.test("isAnimated() returns false for incomplete files and other bytes", () => {
  const { animatedGif, animatedWebp } = SMALL_IMAGES;
  const second = animatedGif.lastIndexOf(0x2c);
  for (let length = 0; length <= second; length++) {
    assert.equal(isAnimated(animatedGif.subarray(0, length)), false, `${length}`);
  }
  assert.equal(isAnimated(animatedWebp.subarray(0, 20)), false);
  assert.equal(isAnimated(new TextEncoder().encode("GIF89a but text in place of any block")), false);
});
