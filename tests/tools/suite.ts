import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { writeGroups } from "./groups.ts";
import { isTier, type Tier, TIERS } from "./tiers.ts";

/** The project's folder, with a final slash. */
const PROJECT = new URL("../../", import.meta.url).pathname;
/** The young generation of V8's memory, in MiB: with its own size, collecting garbage takes a sixth of a run. */
const HEAP = "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=64";

/** Groups that run at the same time; a browser computes along with each group that drives one. */
const JOBS: Readonly<Record<Tier, string>> = { all: "3", api: "3", browser: "2" };

/** One test of a run. */
export interface TestCase {
  /** Its file and its title. */
  readonly name: string;
  readonly seconds: number;
  readonly hasFailed: boolean;
}

/** Outcome of one run of a tier. */
export interface SuiteRun {
  readonly cases: readonly TestCase[];
  readonly seconds: number;
  /** Whether the test runner ended with status 0. */
  readonly isGreen: boolean;
  /** Everything that the test runner printed. */
  readonly output: string;
}

/** Environment of a run, and a program that starts it in place of the shell. */
export interface SuiteOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** Reads the name of a tier from command line arguments such as `--tier=browser`; `all` without one. */
export function readTier(args: readonly string[]): Tier {
  const name = args.find((arg) => arg.startsWith("--tier="))?.slice("--tier=".length) ?? "all";
  if (isTier(name)) return name;
  throw new Error(`--tier takes ${Object.keys(TIERS).join(", ")}`);
}

/** Runs all tests of a tier in processes of their own, and returns what each did. */
export async function runSuite(tier: Tier, { env = {} }: SuiteOptions = {}): Promise<SuiteRun> {
  const report = await Deno.makeTempFile({ suffix: ".xml" });
  const paths = await writeGroups(tier);
  const start = performance.now();
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--quiet", HEAP, "--parallel", `--junit-path=${report}`, ...paths],
      cwd: PROJECT,
      env: { DENO_JOBS: JOBS[tier], NO_COLOR: "1", ...env },
    }).output();
    const decoder = new TextDecoder();
    return {
      cases: readReport(await Deno.readTextFile(report)),
      seconds: (performance.now() - start) / 1000,
      isGreen: code === 0,
      output: decoder.decode(stdout) + decoder.decode(stderr),
    };
  } finally {
    await Deno.remove(report);
  }
}

/** Reads the tests of a report in JUnit's XML; none from an empty report, which a run that was cut off leaves. */
export function readReport(xml: string): TestCase[] {
  if (xml.trim() === "") return [];
  return childrenOf(parseXml(xml).root, "testsuite").flatMap((suite) =>
    childrenOf(suite, "testcase").map((test) => ({
      name: `${(suite.attributes["name"] ?? "").replace(/^\.\//, "")}: ${test.attributes["name"] ?? ""}`,
      seconds: Number(test.attributes["time"] ?? 0),
      hasFailed: childrenOf(test, "failure").length + childrenOf(test, "error").length > 0,
    }))
  );
}

function childrenOf(parent: XmlElement | null, name: string): XmlElement[] {
  const children = parent?.children ?? [];
  return children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
}

/** One line about a run: tests, failures and seconds. */
export function summarize({ cases, seconds, isGreen }: SuiteRun): string {
  const failed = cases.filter(({ hasFailed }) => hasFailed).length;
  return `${isGreen ? "green" : "RED"}: ${cases.length - failed} passed, ${failed} failed, ${
    seconds.toFixed(0)
  } s`;
}

/** Prints text to standard output. */
export function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n"));
}
