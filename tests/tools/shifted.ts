import { findFaketime, shiftClock } from "@/tests/helpers/faketime.ts";
import { print, readTier, runSuite, summarize } from "./suite.ts";
import type { Tier } from "./tiers.ts";

/** Seconds after the start of a run at which a year ends: tests run before and after it. */
const UNTIL_NEW_YEAR_S = 15;

/** A clock, time zone and language other than the machine's. */
interface Setting {
  readonly name: string;
  /** Seconds that the system clock is shifted by, asked for when the run starts. */
  readonly shiftSeconds: () => number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Every run shifts the clock; time zones and languages are tested along with some of the shifts. All reads go to the
 * database, most of which `deno task test` answers from memory.
 */
const SETTINGS: readonly Setting[] = [
  {
    name: "across the end of a past year, at UTC+14",
    shiftSeconds: () => secondsUntil(Date.UTC(2025, 0, 1)) - UNTIL_NEW_YEAR_S,
    env: { TZ: "Pacific/Kiritimati" },
  },
  {
    name: "on February 29, at UTC-3:30, in Turkish",
    shiftSeconds: () => secondsUntil(Date.UTC(2028, 1, 29, 12)),
    env: { TZ: "America/St_Johns", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
  },
];

Deno.exit(await runAll(readTier(Deno.args)) ? 0 : 1);

/** Runs a tier under each setting; true when every run was green. */
async function runAll(tier: Tier): Promise<boolean> {
  const library = await findFaketime();
  if (library === null) print("The system clock is not shifted: faketime is not installed.");
  // Where CI is set, nothing would ever be tested under another clock.
  let isGreen = library !== null || Deno.env.get("CI") !== "true";
  for (const { name, shiftSeconds, env = {} } of SETTINGS) {
    const shift = library === null ? {} : shiftClock(library, shiftSeconds());
    const run = await runSuite(tier, { env: { TEST_READS: "database", ...env, ...shift } });
    print(`${name}: ${summarize(run)}`);
    if (run.isGreen) continue;
    isGreen = false;
    print(run.output.slice(run.output.indexOf(" ERRORS ")));
  }
  return isGreen;
}

function secondsUntil(time: number): number {
  return Math.round((time - Date.now()) / 1000);
}
