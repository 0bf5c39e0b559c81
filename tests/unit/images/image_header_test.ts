import assert from "node:assert/strict";
import { PhotonImage } from "@/lib/images/photon.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { createImageResizer } from "@/lib/images/image_resizer.ts";
import { drawHalves, turnedJpeg } from "@/tests/casts/images_cast.ts";

Deno.test("readImageHeader() reads the dimensions of each format", async () => {
  const image = PhotonImage.new_from_byteslice(await drawHalves(64));
  const square = { width: 64, height: 64, orientation: 1 };
  assert.deepEqual(readImageHeader(image.get_bytes()), square);
  assert.deepEqual(readImageHeader(image.get_bytes_jpeg(80)), square);
  assert.deepEqual(readImageHeader(image.get_bytes_webp()), square);
  image.free();
  const gif = Uint8Array.fromHex("47494638396120031e00f00000");
  assert.deepEqual(readImageHeader(gif), { width: 800, height: 30, orientation: 1 });
  const webp = (rest: string) => readImageHeader(Uint8Array.fromHex(`524946460000000057454250${rest}`));
  const lossy = "565038200000000000000000" + "000020031e00";
  assert.deepEqual(webp(lossy), { width: 800, height: 30, orientation: 1 });
  const extended = "5650385800000000" + "00000000" + "1f03001d0000";
  assert.deepEqual(webp(extended), { width: 800, height: 30, orientation: 1 });
});

Deno.test("readImageHeader() returns null for other and incomplete files", async () => {
  const jpeg = await turnedJpeg(16);
  for (let length = 0; length < 60; length++) assert.equal(readImageHeader(jpeg.subarray(0, length)), null);
  for (
    const hex of [
      "",
      "00",
      "3c7376673e3c2f7376673e",
      "ffd8ffda0000",
      "ffd8ff",
      "52494646000000005745425041424344",
    ]
  ) {
    assert.equal(readImageHeader(Uint8Array.fromHex(hex)), null, hex);
  }
});

Deno.test("pictures are turned upright", async () => {
  const jpeg = await turnedJpeg(64);
  assert.deepEqual(readImageHeader(jpeg), { width: 64, height: 64, orientation: 6 });
  const resizer = createImageResizer();
  const [png] = await resizer.toSquares("ann", jpeg, [10]) ?? [];
  resizer.close();
  assert.ok(png);
  const image = PhotonImage.new_from_byteslice(png);
  const pixels = image.get_raw_pixels().slice();
  image.free();
  const isRed = (x: number, y: number) =>
    (pixels[4 * (10 * y + x)] ?? 0) > (pixels[4 * (10 * y + x) + 2] ?? 0);
  assert.deepEqual([isRed(1, 1), isRed(8, 1), isRed(1, 8), isRed(8, 8)], [true, true, false, false]);
});
