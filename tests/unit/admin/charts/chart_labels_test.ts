import assert from "node:assert/strict";
import { describeComparison } from "@/lib/admin/charts/chart_labels.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";

const { t } = createFormatter({ language: "en", timeZone: "" });
const compare = (now: number, before: number) =>
  describeComparison({ amount: `${now} messages`, chart: { total: now, before, days: 30 } }, t);

Deno.test("describeComparison() tells growth in percent while that is easy to read", () => {
  assert.equal(compare(110, 100), "110 messages, 10% more than in the 30 days before.");
  assert.equal(compare(1000, 100), "1000 messages, 900% more than in the 30 days before.");
  assert.equal(compare(1100, 100), "1100 messages, more than 10 times the figure of the 30 days before.");
  assert.equal(compare(50, 100), "50 messages, 50% fewer than in the 30 days before.");
  assert.equal(compare(100, 100), "100 messages, about the same as in the 30 days before.");
  assert.equal(compare(5, 0), "5 messages; none in the 30 days before.");
});
