import assert from "node:assert/strict";
import { createFormatter } from "@/lib/ui/formatter.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

Deno.test("distance() rounds to the nearest unit", () => {
  const { distance } = createFormatter({ language: "en", timeZone: "" });
  const cases: readonly [number, string][] = [
    [10 * DAY, "in 10 days"],
    [10 * DAY - 5000, "in 10 days"],
    [DAY - 5000, "tomorrow"],
    [13 * HOUR, "in 13 hours"],
    [HOUR - 5000, "in 1 hour"],
    [45 * MINUTE, "in 45 minutes"],
    [5000, "this minute"],
    [30 * DAY - 5000, "in 1 month"],
    [365 * DAY, "in 1 year"],
    [-DAY + 5000, "yesterday"],
    [-3 * HOUR, "3 hours ago"],
  ];
  for (const [ms, text] of cases) assert.equal(distance(1e12 + ms, 1e12), text);
});
