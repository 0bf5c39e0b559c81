import assert from "node:assert/strict";
import { describeCodePoints } from "@/lib/ui/code_points.ts";
import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";

Deno.test("describeCodePoints() names the characters of an id in order", () => {
  assert.deepEqual(describeCodePoints("\u200c\u200d\u{e006b}\u{e007f}"), [
    { character: "\u200c", label: "ZWNJ", code: "U+200C", name: "zero width non-joiner", isInvisible: true },
    { character: "\u200d", label: "ZWJ", code: "U+200D", name: "zero width joiner", isInvisible: true },
    {
      character: "\u{e006b}",
      label: "tag k",
      code: "U+E006B",
      name: "tag latin small letter k",
      isInvisible: true,
    },
    { character: "\u{e007f}", label: "tag end", code: "U+E007F", name: "cancel tag", isInvisible: true },
  ]);
});

Deno.test("describeCodePoints() has a label and a name for every character of the id alphabet", () => {
  for (const point of describeCodePoints(ZERO_WIDTH_CHARACTERS.join(""))) {
    assert.ok(point.isInvisible && point.name !== "", point.code);
  }
});

Deno.test("describeCodePoints() returns visible characters unchanged", () => {
  assert.deepEqual(describeCodePoints("é😀"), [
    { character: "é", label: "é", code: "U+00E9", name: "", isInvisible: false },
    { character: "😀", label: "😀", code: "U+1F600", name: "", isInvisible: false },
  ]);
});

Deno.test("describeCodePoints() distinguishes variation selectors from other tags", () => {
  const labels = describeCodePoints("\ufe00\ufe0f\u{e0020}\u{e0041}\u{e0031}").map(({ label }) => label);
  assert.deepEqual(labels, ["VS1", "VS16", "tag space", "tag A", "tag 1"]);
});
