import assert from "node:assert/strict";
import { splitAtBreakPoints } from "@/lib/ui/break_points.ts";

Deno.test("splitAtBreakPoints() breaks a URL after punctuation and before placeholders", () => {
  assert.deepEqual(
    splitAtBreakPoints("https://tools.example.com/map?plot={plot}&a_b"),
    ["https://", "tools.", "example.", "com/", "map?", "plot=", "{plot}&", "a_", "b"],
  );
});

Deno.test("splitAtBreakPoints() breaks only the long words of a text", () => {
  assert.deepEqual(
    splitAtBreakPoints("Delete the link of ann@example.com to handbook.example.com/care-of-trees?"),
    [
      "Delete the link of ann@example.com to handbook.",
      ...["example.", "com/", "care-", "of-", "trees?"],
    ],
  );
});

Deno.test("splitAtBreakPoints() breaks the words that are longer than asked for", () => {
  assert.deepEqual(splitAtBreakPoints("Delete example.com/compost", 16), [
    "Delete example.",
    "com/",
    "compost",
  ]);
  assert.deepEqual(splitAtBreakPoints("Delete example.com/compost"), ["Delete example.com/compost"]);
});

Deno.test("splitAtBreakPoints() returns parts that are the text when joined", () => {
  for (
    const text of ["", " ", "a".repeat(60), "…/…".repeat(20), "//..//{{}}@@".repeat(5), "שלום/".repeat(9)]
  ) {
    assert.equal(splitAtBreakPoints(text).join(""), text);
  }
});
