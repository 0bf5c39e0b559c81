import assert from "node:assert/strict";
import { renderIdenticon } from "@/lib/chat/users/render_identicon.ts";

Deno.test("renderIdenticon() returns the same SVG for an id each time, and another one for other ids", () => {
  const first = Array.from({ length: 200 }, (_, id) => renderIdenticon(id));
  assert.deepEqual(first, Array.from({ length: 200 }, (_, id) => renderIdenticon(id)));
  assert.ok(new Set(first).size > 195);
});

Deno.test("renderIdenticon() returns a complete SVG without styles or scripts", () => {
  for (const id of [0, 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    const svg = renderIdenticon(id);
    assert.match(
      svg,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 48 48"[^>]*>(<path [^<>]*\/>){5}<\/svg>$/,
    );
    assert.doesNotMatch(svg, /script|style|href|undefined|NaN/);
  }
});
