import assert from "node:assert/strict";
import { summarize, toScaleTable } from "@/tests/load/scale/figures.ts";
import { quantileOf, toMarkdownTable } from "@/tests/load/markdown_table.ts";

const FIGURES = [
  { name: "one", unit: "ms", small: [1, 2, 3], large: [2, 4, 6], firsts: { small: 9, large: 10 } },
  { name: "other", unit: "s", small: [2], large: [3] },
] as const;

Deno.test("figures of the large store are compared with those of the small one", () => {
  assert.equal(
    toScaleTable(FIGURES).split("\n").slice(2).map((line) => line.replace(/ +/g, " ")).join("\n"),
    "| one | 2.0 ms | 4.0 ms | 3.0 ms | 6.0 ms | 9.0 ms | 10.0 ms | 2.00 | yes |\n" +
      "| other | 2.0 s | 3.0 s | | | | | 1.50 | |",
  );
  assert.equal(summarize(FIGURES), "1 of 2 figures are above 1.5 times those of the small store.");
  assert.equal(
    summarize(FIGURES.slice(1)),
    "All 1 figures are at most 1.5 times those of the small store.",
  );
});

Deno.test("columns of tables are aligned, the first one to the left", () => {
  assert.equal(
    toMarkdownTable(["name", "n"], [["a", "1"], ["longer", "12345"]]),
    "| name   |     n |\n| ------ | ----: |\n| a      |     1 |\n| longer | 12345 |",
  );
});

Deno.test("a quantile is a value of the list, and none of an empty one", () => {
  assert.deepEqual([0, 0.5, 0.99, 1].map((share) => quantileOf([5, 1, 3], share)), [1, 3, 5, 5]);
  assert.equal(quantileOf([], 0.5), NaN);
});
