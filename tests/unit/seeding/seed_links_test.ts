import assert from "node:assert/strict";
import { DAY_MS } from "@/lib/core/clock.ts";
import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { PAGE_VISITS, readVisits } from "@/lib/links/visit_pages.ts";
import { LINK_STEPS, LinkSeeder, scatteredShort } from "@/tests/seeding/seed_links.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";

const ALPHABET = { characters: ZERO_WIDTH_CHARACTERS, length: 7 };
const START = Date.UTC(2026, 0, 1);

Deno.test("seeded links with full pages of visits are consistent and read like visited ones", async () => {
  using store = await openSottoStore(":memory:");
  const counts = [0, 1, 3, PAGE_VISITS, PAGE_VISITS + 1, 2 * PAGE_VISITS, ...Array(40).fill(2)];
  const links = counts.map((count: number, at) => ({
    short: scatteredShort(ALPHABET, at),
    url: `https://example.com/articles/${at}`,
    createdAt: START + at * DAY_MS / 4,
    visits: Float64Array.from({ length: count }, (_, visit) => START + at * DAY_MS + visit * 731_000),
  }));
  const seeder = new LinkSeeder(store.kv);
  for (const link of links) seeder.add(link);
  for (let step = 0; step < LINK_STEPS; step++) await seeder.write(step);
  const visits = counts.reduce((sum: number, count: number) => sum + count, 0);
  assert.deepEqual(await checkLinks(store.kv), { urls: links.length, visits, problems: [] });
  for (const { short, visits } of links) {
    const read = (await Array.fromAsync(readVisits(store.kv, short))).flatMap((times) => [...times]);
    assert.deepEqual(read, [...visits]);
  }
});

Deno.test("numbers of links have different ids", () => {
  const shorts = Array.from({ length: 5000 }, (_, at) => scatteredShort(ALPHABET, at));
  assert.equal(new Set(shorts).size, shorts.length);
});
