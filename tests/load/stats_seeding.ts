import { DAY_MS } from "@/lib/core/clock.ts";
import { MANY_LINKS, MANY_VISITS, seedLinks } from "./seeding.ts";

/** Visited URLs of the big store, with ten visits each, spread over a year. */
const VISITED = MANY_VISITS / 10;

/** Fills a new store with a million links, and a million visits of some of them. */
export async function seedVisitedLinks(path: string): Promise<void> {
  const now = Date.now();
  await seedLinks(path, {
    count: MANY_LINKS,
    visitsOf: (at) =>
      Float64Array.from(
        { length: at < VISITED ? 5 + at % 11 : 0 },
        (_, visit) => now - ((at * 7 + visit * 31) % 365) * DAY_MS,
      ).sort(),
  });
}
