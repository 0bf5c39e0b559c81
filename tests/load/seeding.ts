import { keyAfter } from "@/lib/store/key.ts";
import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { linkKeys, type LinkRecord } from "@/lib/links/store.ts";
import { PAGE_VISITS } from "@/lib/links/visit_pages.ts";
import { scatteredShort } from "@/tests/seeding/seed_links.ts";

/** URLs in the big store. */
export const MANY_LINKS = 1_000_000;
/** Visits of the busy URL. */
export const MANY_VISITS = 1_000_000;
/** URLs that a load picks from. */
export const WORKING_SET = 1000;

const ALPHABET = { characters: ZERO_WIDTH_CHARACTERS, length: 7 };
const COMMIT = 500;
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

/** Fills a new store with `count` links, numbered with steps of `stride`. */
export async function seedLinks(path: string, count: number, stride: number): Promise<void> {
  using kv = await Deno.openKv(path);
  for (let from = 0; from < count; from += COMMIT) {
    const atomic = kv.atomic();
    const end = Math.min(from + COMMIT, count);
    for (let at = from; at < end; at++) {
      const link = { url: `https://example.com/articles/${at * stride}?source=load`, createdAt: START };
      atomic.set(linkKeys.link(shortOf(at * stride)), link satisfies LinkRecord);
    }
    await atomic.sum(linkKeys.linkCount, BigInt(end - from)).commit();
  }
}

/** Fills a new store with two links: number 0 with a million visits in full pages, as folding leaves them, number 1 with none. */
export async function seedVisits(path: string): Promise<void> {
  await seedLinks(path, 2, 1);
  using kv = await Deno.openKv(path);
  const short = shortOf(0);
  for (let from = 0; from < MANY_VISITS; from += PAGE_VISITS) {
    const times = Float64Array.from({ length: PAGE_VISITS }, (_, at) => START + (from + at) * 731);
    const key = linkKeys.visits(short, times[0] ?? 0, "seed");
    const atomic = kv.atomic().set(key, times).set(linkKeys.visitFold(short), { start: keyAfter(key) });
    atomic.sum(linkKeys.visitCount(short), BigInt(PAGE_VISITS));
    await atomic.sum(linkKeys.visitCount(), BigInt(PAGE_VISITS)).commit();
  }
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
