import { runMixedRounds } from "@/tests/process/mixed_rounds.ts";
import { readSeed } from "@/tests/process/traffic.ts";
import { print } from "./suite.ts";

const DEFAULT_ROUNDS = 50;

const text = Deno.args.find((arg) => arg.startsWith("--rounds="))?.slice("--rounds=".length);
const rounds = text === undefined ? DEFAULT_ROUNDS : Number(text);
if (!Number.isInteger(rounds) || rounds < 1) {
  print("deno task test:crash [--rounds=50]");
  Deno.exit(2);
}
const seed = readSeed();
print(`TEST_SEED=${seed}`);
const acknowledged = await runMixedRounds({
  rounds,
  seed,
  report: (round, count) => print(`round ${round} of ${rounds}: ${count} operations acknowledged so far`),
});
print(`${rounds} rounds passed: ${acknowledged} operations acknowledged, none lost, none there twice`);
