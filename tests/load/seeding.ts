import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { LINK_STEPS, LinkSeeder, scatteredShort } from "@/tests/seeding/seed_links.ts";

/** URLs in the big store. */
export const MANY_LINKS = 1_000_000;
/** Visits of the busy URL. */
export const MANY_VISITS = 1_000_000;
/** URLs that a load picks from. */
export const WORKING_SET = 1000;

const ALPHABET = { characters: ZERO_WIDTH_CHARACTERS, length: 7 };
const START = Date.UTC(2026, 0, 1);

/** The id of the URL with this number. */
export function shortOf(index: number): string {
  return scatteredShort(ALPHABET, index);
}

/** Writes the alphabet as paths have it, a character a line, for wrk's script. */
export async function writeAlphabet(path: string): Promise<void> {
  await Deno.writeTextFile(
    path,
    ALPHABET.characters.map((character) => encodeURIComponent(character)).join("\n"),
  );
}

/** Links numbered with steps of `stride`, with the times of their visits, ascending: none by default. */
interface Seeded {
  readonly count: number;
  readonly stride?: number;
  readonly visitsOf?: (at: number) => Float64Array;
}

/** Fills a new store with links, as shortening, visits, compaction and indexing leave them. */
export async function seedLinks(path: string, { count, stride = 1, visitsOf }: Seeded): Promise<void> {
  (await openSottoStore(path))[Symbol.dispose]();
  using kv = await Deno.openKv(path);
  const seeder = new LinkSeeder(kv);
  const none = new Float64Array();
  for (let at = 0; at < count; at++) {
    const url = `https://example.com/articles/${at * stride}?source=load`;
    seeder.add({ short: shortOf(at * stride), url, createdAt: START, visits: visitsOf?.(at) ?? none });
  }
  for (let step = 0; step < LINK_STEPS; step++) await seeder.write(step);
}

/** Fills a new store with two links: number 0 with a million visits, number 1 with none. */
export async function seedVisits(path: string): Promise<void> {
  const times = Float64Array.from({ length: MANY_VISITS }, (_, at) => START + at * 731);
  await seedLinks(path, { count: 2, visitsOf: (at) => at === 0 ? times : new Float64Array() });
}

/** A file that is made once and kept; what is interrupted half-way starts anew. */
export async function kept(path: string, make: (path: string) => Promise<void>): Promise<string> {
  try {
    await Deno.stat(path);
  } catch {
    const unfinished = `${path}.unfinished`;
    for (const ending of ["", "-wal", "-shm"]) await Deno.remove(unfinished + ending).catch(() => {});
    await make(unfinished);
    await Deno.rename(unfinished, path);
  }
  return path;
}
