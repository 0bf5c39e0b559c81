import assert from "node:assert/strict";
import { parseUtc } from "@/lib/core/clock.ts";

Deno.test("parseUtc() parses days and times that exist", () => {
  assert.equal(parseUtc("2024-02-29"), Date.UTC(2024, 1, 29));
  assert.equal(parseUtc("2026-11-23T09:30"), Date.UTC(2026, 10, 23, 9, 30));
  assert.equal(parseUtc("2026-11-23T23:59:59"), Date.UTC(2026, 10, 23, 23, 59, 59));
});

Deno.test("parseUtc() returns NaN for anything else", () => {
  for (
    const text of [
      "",
      "2021-02-29",
      "2026-04-31",
      "2026-13-01",
      "2026-00-10",
      "2026-11-23T24:00",
      "2026-11-23T09:60",
      "2026-11-23T23:59:60",
      "2026-11-23T9:30",
      "23 November 2026",
    ]
  ) assert.ok(Number.isNaN(parseUtc(text)), text);
});
