import assert from "node:assert/strict";
import { createImageResizer, type ImageResizer } from "@/lib/images/image_resizer.ts";
import { readImageHeader } from "@/lib/images/image_header.ts";
import { encodePng } from "@/lib/core/png.ts";
import { drawHalves } from "@/tests/casts/images_cast.ts";

async function withResizer(work: (resizer: ImageResizer) => Promise<void>): Promise<void> {
  const resizer = createImageResizer();
  try {
    await work(resizer);
  } finally {
    resizer.close();
  }
}

/** A PNG whose header claims other dimensions than its content has. */
async function lyingPng(size: number): Promise<Uint8Array> {
  const png = await drawHalves(4);
  new DataView(png.buffer).setUint32(16, size);
  return png;
}

Deno.test("toSquares() returns PNG pictures of all sizes", async () => {
  await withResizer(async (resizer) => {
    const pictures = await resizer.toSquares("ann", await drawHalves(64), [100, 500]);
    assert.deepEqual(
      pictures?.map(readImageHeader),
      [100, 500].map((size) => (
        { width: size, height: size, orientation: 1 }
      )),
    );
  });
});

Deno.test("toSquares() returns null for hostile files, and works afterwards", async () => {
  await withResizer(async (resizer) => {
    const png = await drawHalves(64);
    const text = (content: string) => new TextEncoder().encode(content);
    const hostile: Readonly<Record<string, Uint8Array>> = {
      "empty": new Uint8Array(),
      "text": text("hello"),
      "SVG with a script": text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "truncated": png.subarray(0, png.length - 30),
      "cut in the header": png.subarray(0, 20),
      "wrong type": Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...png.subarray(4)),
      "false dimensions": await lyingPng(5000),
      "no pixels": await encodePng({ size: 0, palette: [[0, 0, 0]], pixels: new Uint8Array() }),
    };
    for (const [what, content] of Object.entries(hostile)) {
      assert.equal(await resizer.toSquares("ann", content, [100]), null, what);
    }
    assert.equal((await resizer.toSquares("ann", png, [100]))?.length, 1);
  });
});

Deno.test("toSquares() refuses images with too many pixels before it decodes them", async () => {
  await withResizer(async (resizer) => {
    const bomb = await lyingPng(6_250_001);
    await assert.rejects(resizer.toSquares("ann", bomb, [100]), { message: "Image size exceeds limit." });
  });
});

Deno.test("toSquares() works on one image of an account at a time", async () => {
  await withResizer(async (resizer) => {
    const png = await drawHalves(16);
    const [first, second, other] = await Promise.allSettled([
      resizer.toSquares("ann", png, [10]),
      resizer.toSquares("ann", png, [10]),
      resizer.toSquares("bob", png, [10]),
    ]);
    assert.deepEqual([first.status, second.status, other.status], ["fulfilled", "rejected", "fulfilled"]);
  });
});

Deno.test("close() ends jobs as ones that failed", async () => {
  const resizer = createImageResizer();
  const job = resizer.toSquares("ann", await drawHalves(64), [100]);
  resizer.close();
  assert.equal(await job, null);
  assert.equal(await resizer.toSquares("ann", await drawHalves(64), [100]), null);
});
