import { DAY_MS } from "@/lib/core/clock.ts";
import { linkKeys } from "@/lib/links/store.ts";
import { MANY_VISITS, shortOf } from "./seeding.ts";

/** Visited URLs of the big store, with ten visits each, spread over a year. */
const VISITED = MANY_VISITS / 10;

/** Adds a million visits, as version 1 kept them, to a store with a million links, for it to be brought forward again. */
export async function seedVisitedLinks(path: string): Promise<void> {
  using kv = await Deno.openKv(path);
  await kv.set(["schema_version"], 1);
  const now = Date.now();
  for (let from = 0; from < VISITED; from += 300) {
    const atomic = kv.atomic();
    let sum = 0;
    for (let at = from; at < Math.min(from + 300, VISITED); at++) {
      const count = 5 + at % 11;
      const times = Float64Array.from(
        { length: count },
        (_, visit) => now - ((at * 7 + visit * 31) % 365) * DAY_MS,
      ).sort();
      atomic.set(linkKeys.visits(shortOf(at), times[0] ?? 0, "seed"), times);
      atomic.sum(linkKeys.visitCount(shortOf(at)), BigInt(count));
      sum += count;
    }
    await atomic.sum(linkKeys.visitCount(), BigInt(sum)).commit();
  }
}
