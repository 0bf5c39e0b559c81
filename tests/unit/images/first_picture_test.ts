import assert from "node:assert/strict";
import { PhotonImage } from "@/lib/images/photon.ts";
import { takeFirstPicture } from "@/lib/images/first_picture.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import {
  craftPng,
  extendedWebp,
  join,
  pngChunk,
  webpChunk,
  webpFrame,
  webpPicture,
} from "@/tests/casts/crafted_images_cast.ts";
import { drawHalves, SMALL_IMAGES, turnedJpeg } from "@/tests/casts/images_cast.ts";

const text = (content: string) => new TextEncoder().encode(content);
const jpegSegment = (marker: number, content: Uint8Array) =>
  join(Uint8Array.of(0xff, marker, 0, content.length + 2), content);

/** Reduces a copy of a file, whose header it reads; null for a file that is refused. */
function reduce(file: Uint8Array): Uint8Array | null {
  const header = readImageHeader(file);
  assert.ok(header);
  return takeFirstPicture(file.slice(), header);
}

function decode(file: Uint8Array): Uint8Array {
  const image = PhotonImage.new_from_byteslice(file);
  const pixels = image.get_raw_pixels().slice();
  image.free();
  return pixels;
}

Deno.test("takeFirstPicture() drops metadata of a PNG and keeps its transparency", () => {
  const size = { width: 9, height: 5 };
  const transparency = pngChunk("tRNS", Uint8Array.of(0, 0));
  const metadata = ["tEXt", "zTXt", "iTXt", "iCCP", "eXIf", "acTL", "fcTL", "gAMA"].map((type) =>
    pngChunk(type, text("k\0\0content"))
  );
  const file = craftPng({ ...size, chunks: [...metadata, transparency], lastChunks: metadata });
  assert.deepEqual(reduce(join(file, text("trailer"))), craftPng({ ...size, chunks: [transparency] }));
});

Deno.test("takeFirstPicture() keeps the first picture of an animation only", () => {
  const { gif, animatedGif, webp, animatedWebp } = SMALL_IMAGES;
  for (const file of [gif, animatedGif, webp, animatedWebp]) {
    const reduced = reduce(file);
    assert.ok(reduced);
    assert.deepEqual(decode(reduced), decode(file));
  }
  const [still, one] = [reduce(animatedGif), reduce(animatedWebp)];
  assert.ok(still && still.length < gif.length + 10, `${still?.length}`);
  const blank = Uint8Array.from({ length: 6 }, () => 0);
  const [frame, animation] = [webpFrame(webpPicture(8), 8), webpChunk("ANIM", blank)];
  assert.ok(one && one.length < animatedWebp.length);
  assert.deepEqual(
    reduce(extendedWebp({ flags: 2, width: 8 }, animation, frame, frame, frame)),
    extendedWebp({ flags: 2, width: 8 }, animation, frame),
  );
});

Deno.test("takeFirstPicture() drops metadata of WebP, GIF and JPEG files", async () => {
  const picture = webpPicture(8);
  const metadata = ["ICCP", "EXIF", "XMP "].map((type) => webpChunk(type, text("odd")));
  assert.deepEqual(
    reduce(extendedWebp({ flags: 0x2c, width: 8 }, ...metadata, picture, ...metadata)),
    extendedWebp({ flags: 0x2c, width: 8 }, picture),
  );
  const { gif } = SMALL_IMAGES;
  const comment = Uint8Array.fromHex("21fe0568656c6c6f00");
  const pictureAt = gif.indexOf(0x2c, 13 + 12);
  assert.deepEqual(
    reduce(join(gif.subarray(0, pictureAt), comment, gif.subarray(pictureAt))),
    gif.subarray(0, -1),
  );
  const jpeg = await turnedJpeg(16);
  const reduced = reduce(join(jpeg.subarray(0, 2), jpegSegment(0xe2, text("ICC_PROFILE")), jpeg.subarray(2)));
  assert.deepEqual(reduced, reduce(jpeg));
  assert.ok(reduced && reduced.length < jpeg.length);
  assert.deepEqual(decode(reduced), decode(jpeg));
});

Deno.test("takeFirstPicture() returns null for a picture that is larger than the header says", async () => {
  const [png, jpeg] = [await drawHalves(4), await turnedJpeg(16)];
  const [start, ihdr, rest] = [png.subarray(0, 8), png.subarray(8, 33), png.subarray(33)];
  const frame = jpegSegment(0xc0, Uint8Array.of(8, 0, 8, 0, 8, 1, 1, 0x11, 0));
  const large = webpPicture(64);
  // One byte of padding makes a walk that does not expect it read another length.
  const padded = join(
    Uint8Array.of(0xff, 0xd8, 0xff, 0xff, 0xe0, 0, 4, 0, 0),
    frame,
    jpeg.subarray(2),
  );
  const hugeGif = SMALL_IMAGES.gif.slice();
  const gifPicture = hugeGif.indexOf(0x2c, 13 + 12);
  hugeGif.fill(0xff, gifPicture + 5, gifPicture + 9);
  const hostile: Readonly<Record<string, Uint8Array>> = {
    "second PNG header": join(start, ihdr, ihdr, rest),
    "PNG header after another chunk": join(start, pngChunk("tEXt", ihdr.subarray(8)), ihdr, rest),
    "second JPEG frame": join(jpeg.subarray(0, 2), frame, jpeg.subarray(2)),
    "large WebP picture": extendedWebp({ flags: 0, width: 8 }, large),
    "large WebP frame": extendedWebp({ flags: 2, width: 8 }, webpFrame(large, 8)),
    "large GIF picture": hugeGif,
  };
  for (const [what, content] of Object.entries(hostile)) assert.equal(reduce(content), null, what);
  assert.equal(readImageHeader(padded), null);
});

Deno.test("takeFirstPicture() returns null for a JPEG with many scans", async () => {
  const jpeg = await turnedJpeg(16);
  const scan = jpeg.lastIndexOf(0xda) - 1;
  const withScans = (count: number) =>
    join(jpeg.subarray(0, scan), ...Array.from({ length: count }, () => jpeg.subarray(scan, -2)));
  assert.ok(reduce(withScans(10)));
  assert.equal(reduce(withScans(101)), null);
});

Deno.test("takeFirstPicture() returns null or a part of an incomplete file", async () => {
  const files = [...Object.values(SMALL_IMAGES), await drawHalves(4), await turnedJpeg(16)];
  for (const file of files) {
    const header = readImageHeader(file);
    assert.ok(header);
    for (let length = 4; length < file.length; length++) {
      const reduced = takeFirstPicture(file.slice(0, length), header);
      assert.ok(reduced === null || reduced.length <= length, `${length}`);
    }
  }
});
