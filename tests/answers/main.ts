// Records the answers of this version of the program, or compares them with a recording of another one.
import { gunzipSync, gzipSync } from "node:zlib";
import { print } from "@/tests/tools/suite.ts";
import { seedRandom } from "./seed_random.ts";
import type { Answer } from "./answer.ts";

const USAGE =
  "deno task answers record FILE | compare FILE [WANTED], a file with a pattern of names on each line";
/** Differences that are printed. */
const MAX_SHOWN = 100;

seedRandom();
// Modules that draw random numbers while they load follow the seed.
const { recordAnswers } = await import("./record.ts");
const { findDifferences } = await import("./answer.ts");
const [command, file, wanted] = Deno.args;

if (command === "record" && file !== undefined) {
  const answers = await Array.fromAsync(recordAnswers());
  await Deno.writeFile(file, gzipSync(JSON.stringify(answers)));
  print(`${answers.length} answers recorded`);
} else if (command === "compare" && file !== undefined) {
  const before: Answer[] = JSON.parse(gunzipSync(await Deno.readFile(file)).toString());
  const after = await Array.fromAsync(recordAnswers());
  const patterns = wanted === undefined ? [] : (await Deno.readTextFile(wanted)).split("\n").filter(Boolean);
  const differences = findDifferences(before, after, patterns.map((pattern) => new RegExp(pattern)));
  for (const difference of differences.slice(0, MAX_SHOWN)) print(difference);
  print(`${before.length} answers compared, ${differences.length} differences`);
  Deno.exitCode = differences.length === 0 ? 0 : 1;
} else {
  print(USAGE);
  Deno.exitCode = 2;
}
