// Writes modules that each import many test files. A test process loads and compiles the modules of its file anew, which
// takes longer than the tests of most files: 340 files cost 100 s of computing, and each group costs 2.5 s.
import { isTier, type Tier, TIERS } from "./tiers.ts";

/** The project's folder, with a final slash. */
const PROJECT = new URL("../../", import.meta.url).pathname;
/** Folder of the groups, which is not committed. */
const FOLDER = "tests/_groups";
/** One for each of the processes that run at the same time; what runs alone follows and fills the gaps at their end. */
const GROUPS = 3;
/** Each of these has a process of its own, because it waits for the processes that it starts. */
const ALONE = ["tests/process", "tests/browser"];

/** A test file and its size in bytes. */
interface TestFile {
  readonly path: string;
  readonly size: number;
}

/**
 * Writes the groups of a tier and returns the paths for the test runner, which runs the groups first, as it sorts paths.
 */
export async function writeGroups(tier: Tier): Promise<string[]> {
  const folder = `${FOLDER}/${tier}`;
  const alone = TIERS[tier].filter((path) => ALONE.includes(path));
  const files = TIERS[tier].filter((path) => !ALONE.includes(path)).flatMap(listTestFiles);
  if (files.length === 0) return alone;
  // Groups of an earlier run, of which there may have been more, would run as well.
  await Deno.remove(PROJECT + folder, { recursive: true }).catch(() => {});
  await Deno.mkdir(PROJECT + folder, { recursive: true });
  const groups = divide(files).map((group, at) => ({ path: `${folder}/${at + 1}_test.ts`, group }));
  for (const { path, group } of groups) {
    await Deno.writeTextFile(
      PROJECT + path,
      group.map((file) => `import "@/${file.path}";\n`).sort().join(""),
    );
  }
  return [...alone, ...groups.map(({ path }) => path)];
}

/** Lists the test files of a folder; a path of a file stands for itself. */
function listTestFiles(path: string): TestFile[] {
  const info = Deno.statSync(PROJECT + path);
  if (info.isFile) return path.endsWith("_test.ts") ? [{ path, size: info.size }] : [];
  const names = [...Deno.readDirSync(PROJECT + path)].map(({ name }) => name).sort();
  return names.flatMap((name) => listTestFiles(`${path}/${name}`));
}

/** Divides files into groups of about the same size: the largest files first, each into the smallest group. */
function divide(files: readonly TestFile[]): TestFile[][] {
  const groups = Array.from({ length: GROUPS }, () => ({ files: [] as TestFile[], size: 0 }));
  for (const file of files.toSorted((one, other) => other.size - one.size)) {
    const smallest = groups.reduce((least, group) => group.size < least.size ? group : least);
    smallest.files.push(file);
    smallest.size += file.size;
  }
  return groups.map((group) => group.files);
}

if (import.meta.main) {
  const tier = Deno.args[0] ?? "all";
  if (!isTier(tier)) throw new Error(`Tiers are ${Object.keys(TIERS).join(", ")}`);
  await writeGroups(tier);
}
