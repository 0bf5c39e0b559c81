import assert from "node:assert/strict";
import { drawSparkline } from "@/lib/ui/sparkline.ts";

Deno.test("a sparkline has gaps for unknown values, and dots for single ones and the last", () => {
  assert.deepEqual(drawSparkline([0, 5, null, 10, null, null, 5], 0), {
    line: "M0 28L20 14M60 0h0.01M120 14h0.01",
    end: "M120 14h0.01",
  });
  assert.deepEqual(drawSparkline([1, null], 0), { line: "M0 0h0.01", end: null });
});

Deno.test("a sparkline without values or with nothing but zeros stays in its box", () => {
  assert.deepEqual(drawSparkline([], 0), { line: "", end: null });
  assert.deepEqual(drawSparkline([null, null], 0), { line: "", end: null });
  assert.deepEqual(drawSparkline([0, 0], 0), { line: "M0 28L120 28", end: "M120 28h0.01" });
  assert.deepEqual(drawSparkline([7], 0), { line: "M0 0h0.01", end: "M0 0h0.01" });
});

Deno.test("the lower edge of a sparkline can be above zero", () => {
  assert.equal(drawSparkline([100, 150, 200], 100).line, "M0 28L60 14L120 0");
});
