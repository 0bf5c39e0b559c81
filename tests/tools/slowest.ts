import { print, readReport } from "./suite.ts";

const SHOWN = 10;

const [path] = Deno.args;
if (path === undefined) {
  print("slowest.ts REPORT: prints the slowest tests and files of a run that wrote a report in JUnit's XML");
  Deno.exit(2);
}
const cases = readReport(await Deno.readTextFile(path));
printSlowest("tests", cases.map(({ name, seconds }) => [name, seconds]));
const secondsByFile = new Map<string, number>();
for (const { name, seconds } of cases) {
  const file = name.slice(0, name.indexOf(":"));
  secondsByFile.set(file, (secondsByFile.get(file) ?? 0) + seconds);
}
printSlowest("files", [...secondsByFile]);

function printSlowest(what: string, rows: readonly (readonly [name: string, seconds: number])[]): void {
  print(`The slowest ${what}:`);
  const slowest = rows.toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
  for (const [name, seconds] of slowest) print(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
