import { LINK_STEPS, LinkSeeder, scatteredShort } from "@/tests/seeding/seed_links.ts";
import type { Action, Advance, Timeline } from "../agenda.ts";
import { LINK_PATTERNS, LINK_WORDS } from "../content/links.ts";
import { createDraw, type Draw } from "../draw.ts";
import type { DemoSite } from "../site.ts";
import { createVisitTimes, divideVisits, isEvergreen, shuffledNumbers } from "./draw_visits.ts";

/** Links that one action draws. */
const AT_ONCE = 10_000;
/** Number of links that are drawn, or written in a step, in the time of one request. */
const LINKS_A_REQUEST = { drawing: 500, step: 250 } as const;
/** Numbers in addresses, few so that addresses share words. */
const NUMBERS = 400;

/** Plans links and visits that are written in bulk, before everything else. */
export function planBulkLinks(
  { now, daysAgo }: Timeline,
  { links, visits, visitDays }: { links: number; visits: number; visitDays: number },
): Action[] {
  const draw = createDraw("bulk links");
  const ranks = shuffledNumbers(draw, links);
  const counts = divideVisits(links, visits);
  const drawTimes = createVisitTimes(draw, now);
  const first = daysAgo(visitDays);
  const opened: { seeder?: LinkSeeder } = {};
  const drawLinks = ({ app }: DemoSite, from: number) => {
    const { alphabet } = app.services.links.config;
    const seeder = opened.seeder ??= new LinkSeeder(app.services.store.kv);
    const end = Math.min(from + AT_ONCE, links);
    for (let at = from; at < end; at++) {
      const rank = ranks[at] ?? 0;
      const createdAt = Math.floor(first + (at + draw.unit()) / links * (now - first));
      seeder.add({
        short: scatteredShort(alphabet, at),
        url: drawUrl(draw, at),
        createdAt,
        visits: drawTimes({ createdAt, count: counts[rank] ?? 0, isEvergreen: isEvergreen(rank, links) }),
      });
    }
  };
  const drawing = Array.from({ length: Math.ceil(links / AT_ONCE) }, (_, part) => ({
    at: first - 1,
    run: (site: DemoSite) => Promise.resolve(drawLinks(site, part * AT_ONCE)),
    weight: AT_ONCE / LINKS_A_REQUEST.drawing,
  }));
  const steps = Array.from({ length: LINK_STEPS }, (_, step) => ({
    at: first - 1,
    run: async (_: DemoSite, advance: Advance) => await opened.seeder?.write(step, advance),
    weight: links / LINKS_A_REQUEST.step,
  }));
  return [...drawing, ...steps];
}

function drawUrl(draw: Draw, at: number): string {
  const [address] = draw.pick(LINK_PATTERNS);
  const numbers = `${1 + at % NUMBERS}-${1 + Math.floor(at / NUMBERS) % NUMBERS}`;
  return address.replace("{n}", numbers).replace("{word}", draw.pick(LINK_WORDS));
}
