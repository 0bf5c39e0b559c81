import assert from "node:assert/strict";
import { normalizeText } from "@/lib/core/text.ts";
import fc, { codePoint } from "@/tests/helpers/fast_check.ts";

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

Deno.test("a text with at most 256 marks in a row has its normal form", () => {
  const letters = fc.array(fc.oneof(codePoint, fc.constantFrom("a", "\u0301", "\u0327", "ﬁ", "각")), {
    maxLength: 256,
  });
  fc.assert(fc.property(letters, fc.constantFrom(...FORMS), (characters, form) => {
    const text = characters.join("");
    assert.equal(normalizeText(text, form), text.normalize(form));
  }));
});

Deno.test("more marks in a row are divided, so that none is far from its place", () => {
  const marks = "\u0301\u0327".repeat(50_000);
  for (const form of FORMS) {
    const rows = normalizeText(`x${marks}`, form).split("\u034f");
    assert.equal(rows.length, Math.ceil(100_000 / 256));
    assert.equal(rows[1], "\u0327".repeat(128) + "\u0301".repeat(128));
    assert.ok(normalizeText(rows.join("\u034f"), form) === rows.join("\u034f"));
  }
});
