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

Deno.test("splitAtBreakPoints() returns parts that are the text when joined", () => {
  for (
    const text of ["", " ", "a".repeat(60), "…/…".repeat(20), "//..//{{}}@@".repeat(5), "שלום/".repeat(9)]
  ) {
    assert.equal(splitAtBreakPoints(text).join(""), text);
  }
});
