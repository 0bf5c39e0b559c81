import { print, readTier, runSuite, summarize, type TestCase } from "./suite.ts";

const BUSY_LOOPS = 2;
const USAGE = "deno task test:repeat N [--tier=all|api|browser]";

const rounds = Number(Deno.args.find((arg) => /^\d+$/.test(arg)) ?? NaN);
if (!Number.isInteger(rounds) || rounds < 1) {
  print(USAGE);
  Deno.exit(2);
}
Deno.exit(await repeat(rounds) ? 0 : 1);

/** Runs a tier again and again while busy loops hold the machine; true when no test failed in any round. */
async function repeat(rounds: number): Promise<boolean> {
  const tier = readTier(Deno.args);
  const failures = new Map<string, number>();
  let redRounds = 0;
  using _load = holdCores();
  for (let round = 1; round <= rounds; round++) {
    const run = await runSuite(tier);
    print(`round ${round} of ${rounds}: ${summarize(run)}`);
    if (run.isGreen) continue;
    redRounds++;
    for (const name of failedNames(run.cases)) failures.set(name, (failures.get(name) ?? 0) + 1);
    print(run.output.slice(run.output.indexOf(" ERRORS ")));
  }
  for (const [name, count] of failures) print(`failed in ${count} of ${rounds} rounds: ${name}`);
  print(`${rounds - redRounds} of ${rounds} rounds were green`);
  return redRounds === 0;
}

function failedNames(cases: readonly TestCase[]): string[] {
  return cases.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
}

/** Processes that compute without end until they are disposed of. */
function holdCores(): Disposable {
  const loops = Array.from(
    { length: BUSY_LOOPS },
    () => new Deno.Command(Deno.execPath(), { args: ["eval", "for (;;);"], stdin: "null" }).spawn(),
  );
  return { [Symbol.dispose]: () => loops.forEach((loop) => loop.kill("SIGKILL")) };
}
