import assert from "node:assert/strict";
import { runMixedRounds } from "./mixed_rounds.ts";
import { readRounds, readSeed } from "./traffic.ts";

const ROUNDS = readRounds(2);

Deno.test("kill -9 under a load of every kind: nothing acknowledged is lost, and nothing is there twice", async () => {
  const acknowledged = await runMixedRounds({ rounds: ROUNDS, seed: readSeed() });
  assert.ok(acknowledged > ROUNDS, `${acknowledged} operations were acknowledged`);
});
