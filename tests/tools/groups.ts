// Writes modules that each import many test files. A test process loads and compiles the modules of its file anew, which
// takes longer than the tests of most files: 340 files cost 100 s of computing, and each group costs 2.5 s.
import { partition } from "es-toolkit/array/partition";
import { sumBy } from "es-toolkit/math/sumBy";
import { hasChromium, withoutChromium } from "@/tests/helpers/chromium.ts";
import { isTier, type Tier, TIERS } from "./tiers.ts";

/** The project's folder, with a final slash. */
const PROJECT = new URL("../../", import.meta.url).pathname;
/** Folder of the groups, which is not committed. */
const FOLDER = "tests/_groups";
/** Folder whose tests mostly wait for the servers that they start; the others compute. */
const WAITING = "tests/process";
/** One for each of the processes that run at the same time. */
const COMPUTING_GROUPS = 3;
/** These run last and are small, so that all processes end at about the same time. */
const WAITING_GROUPS = 7;
/** Folder whose tests drive a browser, which those of a group share. */
const BROWSING = "tests/browser";
/** Two run at the same time; the others even out how long these take. */
const BROWSING_GROUPS = 4;
/** Files that need a process of their own, because their client libraries replace globals. */
const SEPARATE = ["tests/process/client_events_test.ts"];
/** Files in one group: they look at the same sources, which a process parses once. */
const TOGETHER = [
  "tests/architecture_test.ts",
  "tests/style_test.ts",
  "tests/api/pages/current_links_test.ts",
];

/** A test file and its size in bytes. */
interface TestFile {
  readonly path: string;
  readonly size: number;
}

/** A module that imports test files. */
interface Group {
  readonly path: string;
  readonly files: readonly TestFile[];
}

/**
 * Writes the groups of a tier and returns the paths for the test runner, which runs the groups first, as it sorts paths.
 */
export async function writeGroups(tier: Tier): Promise<string[]> {
  const folder = `${FOLDER}/${tier}`;
  const files = TIERS[tier].flatMap((path) => listTestFiles(path));
  // Groups of an earlier run, of which there may have been more, would run as well.
  await Deno.remove(PROJECT + folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(PROJECT + folder, { recursive: true });
  const [separate, shared] = partition(files, ({ path }) => SEPARATE.includes(path));
  const [browsing, others] = partition(shared, ({ path }) => path.startsWith(`${BROWSING}/`));
  const [waiting, computing] = partition(others, ({ path }) => path.startsWith(`${WAITING}/`));
  const groups = [
    ...toGroups(`${folder}/browsing`, divide(browsing, BROWSING_GROUPS)),
    ...toGroups(`${folder}/computing`, divide(computing, COMPUTING_GROUPS)),
    ...toGroups(`${folder}/separate`, separate.map((file) => [file])),
    ...toGroups(`${folder}/waiting`, divide(waiting, WAITING_GROUPS)),
  ];
  for (const { path, files } of groups) {
    const imports = files.map((file) => `import "@/${file.path}";\n`).sort().join("");
    await Deno.writeTextFile(PROJECT + path, imports);
  }
  return groups.map(({ path }) => path);
}

/** Names groups that have files, in order. */
function toGroups(prefix: string, groups: readonly TestFile[][]): Group[] {
  return groups.filter((files) => files.length > 0).map((files, at) => ({
    path: `${prefix}_${at + 1}_test.ts`,
    files,
  }));
}

/** Lists the test files of a folder; a path of a file stands for itself. */
function listTestFiles(path: string): TestFile[] {
  const info = Deno.statSync(PROJECT + path);
  if (info.isFile) return path.endsWith("_test.ts") ? [{ path, size: info.size }] : [];
  const names = [...Deno.readDirSync(PROJECT + path)].map(({ name }) => name).sort();
  return names.flatMap((name) => listTestFiles(`${path}/${name}`));
}

/** Divides files into groups of about the same size: the largest files first, each into the smallest group. */
function divide(files: readonly TestFile[], count: number): TestFile[][] {
  const groups = Array.from({ length: count }, () => ({ files: [] as TestFile[], size: 0 }));
  const [together, others] = partition(files, ({ path }) => TOGETHER.includes(path));
  const parts = [together, ...others.toSorted((one, other) => other.size - one.size).map((file) => [file])];
  for (const part of parts) {
    const smallest = groups.reduce((least, group) => group.size < least.size ? group : least);
    smallest.files.push(...part);
    smallest.size += sumBy(part, ({ size }) => size);
  }
  return groups.map((group) => group.files);
}

if (import.meta.main) {
  const tier = Deno.args[0] ?? "all";
  if (!isTier(tier)) throw new Error(`Tiers are ${Object.keys(TIERS).join(", ")}`);
  await writeGroups(tier);
  // deno-lint-ignore no-console
  if (tier === "browser" && !hasChromium()) console.log(`Not tested: ${withoutChromium()}`);
}
