import { printLine } from "./table.ts";
import { kept, MANY_LINKS, seedLinks, seedVisits, WORKING_SET, writeAlphabet } from "./seeding.ts";
import { seedVisitedLinks } from "./stats_seeding.ts";
import type { Load } from "./wrk.ts";

/** The stores that the benchmarks run on; each call gives a new copy, so that runs do not see each other. */
export interface Stores {
  /** Folder of the copies. */
  readonly folder: string;
  /** No links at all. */
  empty(): string;
  /** The links that loads pick from, and no others. */
  workingSet(): Promise<string>;
  /** A million links, the working set among them. */
  manyLinks(): Promise<string>;
  /** Link number 0 with a million visits, number 1 with none. */
  manyVisits(): Promise<string>;
  /** A million links with a million visits, over a year. */
  visitedLinks(): Promise<string>;
  /** Resolves any of the first `size` links of the working set, or any of the million. */
  resolve(size: number): Load;
  /** Resolves any of the first `size` of the million links, evenly or by Zipf's law. */
  resolveMany(size: number, distribution: "uniform" | "zipf"): Load;
}

/** Makes the stores once in the folder `cache`, where later runs find them again; copies go to `folder`. */
export async function createStores(cache: string, folder: string): Promise<Stores> {
  const alphabet = `${folder}/alphabet.txt`;
  await writeAlphabet(alphabet);
  printLine("preparing the stores; the first time takes a minute …");
  const stride = MANY_LINKS / WORKING_SET;
  const set = await kept(`${cache}/set.kv`, (path) => seedLinks(path, { count: WORKING_SET, stride }));
  const links = await kept(`${cache}/links.kv`, (path) => seedLinks(path, { count: MANY_LINKS }));
  const visits = await kept(`${cache}/visits.kv`, seedVisits);
  let number = 0;
  const copyOf = async (path: string) => {
    const copy = `${folder}/${number++}.kv`;
    await Deno.copyFile(path, copy);
    return copy;
  };
  return {
    folder,
    empty: () => `${folder}/${number++}.kv`,
    workingSet: () => copyOf(set),
    manyLinks: () => copyOf(links),
    manyVisits: () => copyOf(visits),
    // Made when it is first wanted: it takes a while, and one part of the benchmarks alone needs it.
    visitedLinks: async () => copyOf(await kept(`${cache}/visited.kv`, seedVisitedLinks)),
    resolve: (size) => ({
      script: "resolve.lua",
      args: [alphabet, String(size), String(size === MANY_LINKS ? 1 : stride)],
    }),
    resolveMany: (size, distribution) => ({
      script: "resolve.lua",
      args: [alphabet, String(size), "1", distribution],
    }),
  };
}
