import assert from "node:assert/strict";
import { encode } from "uqr";
import { toQrPath } from "@/lib/ui/qr_path.ts";

const LINK = "https://sotto.example/%E2%80%8C%F3%A0%81%AB";

Deno.test("toQrPath() draws exactly the dark modules of the code", () => {
  const { size, path } = toQrPath(LINK);
  const { data } = encode(LINK, { ecc: "L", border: 4 });
  const drawn = data.map((row) => row.map(() => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  }
  assert.equal(size, data.length);
  assert.deepEqual(drawn, data);
});

Deno.test("toQrPath() leaves four modules free on every side", () => {
  const { size, path } = toQrPath(LINK);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    assert.ok(
      Number(x) >= 4 && Number(y) >= 4 && Number(y) < size - 4 && Number(x) + Number(width) <= size - 4,
    );
  }
});
