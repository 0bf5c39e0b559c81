import assert from "node:assert/strict";
import { findCostProblem, measureCosts } from "@/tests/fuzz/request_costs.ts";

/** Requests that are measured. */
const REQUESTS = 800;

Deno.test("no input makes a request costly, whether it is accepted or refused", async () => {
  const costs = await measureCosts({ requests: REQUESTS, seed: 1 });
  assert.equal(costs.length, REQUESTS);
  const problems = costs.map(findCostProblem).filter((problem) => problem !== null);
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
