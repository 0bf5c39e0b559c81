import assert from "node:assert/strict";
import { PhotonImage } from "@/lib/images/photon.ts";
import { encodePng } from "@/lib/core/png.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { createImageResizer, type ImageResizer } from "@/lib/images/image_resizer.ts";
import { drawHalves, drawStripe, SMALL_IMAGES, turnedJpeg } from "@/tests/casts/images_cast.ts";

const BOX = { width: 840, height: 560 };

async function withResizer(work: (resizer: ImageResizer) => Promise<void>): Promise<void> {
  const resizer = createImageResizer();
  try {
    await work(resizer);
  } finally {
    resizer.close();
  }
}

const load = (content: Uint8Array) => () => Promise.resolve(content);

Deno.test("toThumbnail() returns WebP pictures that fit into the box and are never enlarged", async () => {
  await withResizer(async (resizer) => {
    const sizes: readonly (readonly [number, number, number, number])[] = [
      [1680, 560, 840, 280],
      [300, 1120, 150, 560],
      [64, 32, 64, 32],
      [4000, 1, 840, 1],
    ];
    for (const [width, height, across, down] of sizes) {
      const webp = await resizer.toThumbnail("ann", load(drawStripe(width, height)), BOX);
      assert.ok(webp);
      assert.equal(new TextDecoder().decode(webp.subarray(8, 12)), "WEBP");
      assert.deepEqual(readImageHeader(webp), { width: across, height: down, orientation: 1 });
    }
    const still = await resizer.toThumbnail("ann", load(SMALL_IMAGES.animatedGif), BOX);
    assert.deepEqual(still && readImageHeader(still), { width: 8, height: 4, orientation: 1 });
  });
});

Deno.test("toThumbnail() turns images upright", async () => {
  await withResizer(async (resizer) => {
    // Stored 64 wide and 32 high, and turned by a quarter to be upright.
    const webp = await resizer.toThumbnail("ann", load(await turnedJpeg(64, 32)), BOX);
    assert.ok(webp);
    const image = PhotonImage.new_from_byteslice(webp);
    assert.deepEqual([image.get_width(), image.get_height()], [32, 64]);
    const pixels = image.get_raw_pixels().slice();
    image.free();
    const isRed = (x: number, y: number) =>
      (pixels[4 * (32 * y + x)] ?? 0) > (pixels[4 * (32 * y + x) + 2] ?? 0);
    assert.deepEqual([isRed(1, 1), isRed(30, 1), isRed(1, 62), isRed(30, 62)], [true, true, false, false]);
  });
});

Deno.test("toThumbnail() returns null for hostile files, and works afterwards", async () => {
  await withResizer(async (resizer) => {
    const png = await drawHalves(64);
    const hugeHeader = png.slice();
    new DataView(hugeHeader.buffer).setUint32(16, 6_250_001);
    const falseHeader = png.slice();
    new DataView(falseHeader.buffer).setUint32(16, 65);
    const hostile: Readonly<Record<string, Uint8Array>> = {
      "text": new TextEncoder().encode("hello"),
      "truncated": png.subarray(0, png.length - 30),
      "too many pixels": hugeHeader,
      "false dimensions": falseHeader,
      "no pixels": await encodePng({ size: 0, palette: [[0, 0, 0]], pixels: new Uint8Array() }),
    };
    for (const [what, content] of Object.entries(hostile)) {
      assert.equal(await resizer.toThumbnail("ann", load(content), BOX), null, what);
    }
    await assert.rejects(resizer.toThumbnail("ann", () => Promise.reject(new RangeError("gone")), BOX), {
      message: "gone",
    });
    assert.ok(await resizer.toThumbnail("ann", load(png), BOX));
  });
});

Deno.test("accounts take turns, and many waiting images are refused", async () => {
  await withResizer(async (resizer) => {
    const png = await drawHalves(16);
    const order: string[] = [];
    const ask = (owner: string) =>
      resizer.toThumbnail(owner, () => {
        order.push(owner);
        return Promise.resolve(png);
      }, BOX);
    const jobs = [ask("ann"), ask("ann"), ask("ann"), ask("bob"), resizer.toSquares("cid", png, [10])];
    assert.equal((await Promise.all(jobs)).filter((picture) => picture !== null).length, 5);
    assert.deepEqual(order, ["ann", "ann", "bob", "ann"]);
    const many = Array.from({ length: 120 }, () => resizer.toThumbnail("ann", load(new Uint8Array()), BOX));
    const outcomes = (await Promise.allSettled(many)).map(({ status }) => status);
    // One is in work and a hundred wait.
    assert.equal(outcomes.filter((status) => status === "rejected").length, 19);
  });
});

Deno.test("a closed resizer refuses thumbnails, and does not take them for images that cannot be decoded", async () => {
  const resizer = createImageResizer();
  const job = resizer.toThumbnail("ann", load(await drawHalves(64)), BOX);
  resizer.close();
  await assert.rejects(job, { code: "UNAVAILABLE" });
  await assert.rejects(resizer.toThumbnail("ann", load(await drawHalves(64)), BOX), { code: "UNAVAILABLE" });
});
