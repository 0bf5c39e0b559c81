import assert from "node:assert/strict";
import { identicon } from "@/lib/chat/users/identicon.ts";

Deno.test("identicon() draws the same for a number each time, and something else for its neighbours", () => {
  const first = Array.from({ length: 200 }, (_, id) => identicon(id));
  assert.deepEqual(first, Array.from({ length: 200 }, (_, id) => identicon(id)));
  assert.ok(new Set(first).size > 195);
});

Deno.test("identicon() is a whole, small SVG that needs no style sheet and runs nothing", () => {
  for (const id of [0, 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    const svg = identicon(id);
    assert.match(
      svg,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 48 48"[^>]*>(<path [^<>]*\/>){5}<\/svg>$/,
    );
    assert.doesNotMatch(svg, /script|style|href|undefined|NaN/);
  }
});
