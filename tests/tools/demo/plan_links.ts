import { shorten, visitLink } from "@/lib/links/actions.ts";
import {
  type Action,
  DAY_MS,
  HOUR_MS,
  HOUR_WEIGHTS,
  startOfDay,
  type Timeline,
  weekdayWeight,
} from "./agenda.ts";
import { LINK_PATTERNS, LINK_WORDS, POPULAR_LINKS } from "./content/links.ts";
import { createDraw, createWeightedDraw, type Draw } from "./draw.ts";
import type { DemoSite } from "./site.ts";

/** Days after which the visits of an ordinary link are halved. */
const HALF_LIFE_DAYS = 16;
/** Growth of the visits over the whole time, as a factor. */
const GROWTH = 2.2;
/** Visits that are submitted together, to be written in one commit. */
const TOGETHER = 2000;

/** A link that is planned. */
interface PlannedLink {
  readonly url: string;
  readonly popularity: number;
  readonly createdAt: number;
  readonly fades: boolean;
}

/** Plans short links and their visits, which grow slowly, follow weekdays and hours and favor a few links. */
export function planLinks(
  timeline: Timeline,
  { links, visits, visitDays }: { links: number; visits: number; visitDays: number },
): Action[] {
  const draw = createDraw("links");
  const planned = drawLinks(draw, timeline, { count: links, days: visitDays });
  const shorts = new Map<string, string>();
  const creations = planned.map(({ url, createdAt }) => ({
    at: createdAt,
    run: async (site: DemoSite) => {
      shorts.set(url, (await shorten(site.app.services.links, url)).short);
    },
  }));
  const days = drawDays(draw, timeline, { visits, visitDays });
  return [...creations, ...days.map((day) => planVisits(draw, planned, { ...day, shorts }))];
}

function drawLinks(
  draw: Draw,
  { now, daysAgo }: Timeline,
  { count, days }: { count: number; days: number },
): PlannedLink[] {
  const first = daysAgo(days);
  const links = POPULAR_LINKS.slice(0, count).map(([url, popularity], at) => ({
    url,
    popularity,
    createdAt: first + at * HOUR_MS,
    fades: false,
  }));
  const urls = new Set(links.map(({ url }) => url));
  while (urls.size < count) {
    const [address, popularity] = draw.pick(LINK_PATTERNS);
    const url = address.replace("{n}", `${draw.between(1, 99 + count)}`).replace(
      "{word}",
      draw.pick(LINK_WORDS),
    );
    if (urls.has(url)) continue;
    urls.add(url);
    const createdAt = first + Math.floor(draw.unit() * (now - first));
    links.push({ url, popularity: popularity * (0.1 + draw.unit() ** 3 * 3), createdAt, fades: true });
  }
  return links;
}

/** A day with its number of visits. */
interface VisitDay {
  readonly start: number;
  /** End of the day, or of the story. */
  readonly end: number;
  readonly count: number;
}

/** Divides visits between days; their sum is exact. */
function drawDays(
  draw: Draw,
  { now, daysAgo }: Timeline,
  { visits, visitDays }: { visits: number; visitDays: number },
): VisitDay[] {
  const first = startOfDay(daysAgo(visitDays)) + DAY_MS;
  const starts = Array.from({ length: visitDays }, (_, day) => first + day * DAY_MS).filter((start) =>
    start < now
  );
  const weights = starts.map((start, day) => {
    const share = Math.min(1, (now - start) / DAY_MS);
    return weekdayWeight(start) * (1 + (GROWTH - 1) * day / visitDays) * (0.8 + draw.unit() * 0.4) * share;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let weightSoFar = 0;
  let visitsSoFar = 0;
  return starts.map((start, day) => {
    weightSoFar += weights[day] ?? 0;
    const count = Math.round(visits * weightSoFar / sum) - visitsSoFar;
    visitsSoFar += count;
    return { start, end: Math.min(now, start + DAY_MS), count };
  });
}

/** Plans the visits of one day, which are counted at its end, each with its own time. */
function planVisits(
  draw: Draw,
  links: readonly PlannedLink[],
  { start, end, count, shorts }: VisitDay & { readonly shorts: ReadonlyMap<string, string> },
): Action {
  const nextLink = createWeightedDraw(draw, links.map((link) => weightOn(link, start)));
  const nextHour = createWeightedDraw(draw, HOUR_WEIGHTS);
  const visits = Array.from({ length: count }, () => {
    const at = start + nextHour() * HOUR_MS + draw.below(HOUR_MS);
    return { at: at < end ? at : start + draw.below(end - start), url: links[nextLink()]?.url ?? "" };
  }).sort((one, other) => one.at - other.at);
  return {
    at: end,
    run: async (site) => {
      for (let from = 0; from < visits.length; from += TOGETHER) {
        await countVisits(site, visits.slice(from, from + TOGETHER), shorts);
      }
    },
  };
}

async function countVisits(
  { app, clock }: DemoSite,
  visits: readonly { readonly at: number; readonly url: string }[],
  shorts: ReadonlyMap<string, string>,
): Promise<void> {
  const { links } = app.services;
  await Promise.all(visits.map(({ at, url }) => {
    clock.time = at;
    return visitLink(links, shorts.get(url) ?? "");
  }));
}

/** Returns the weight of a link's visits on a day; 0 before it exists. */
function weightOn({ popularity, createdAt, fades }: PlannedLink, start: number): number {
  const age = (start - createdAt) / DAY_MS;
  if (age < 0) return 0;
  return fades ? popularity * 2 ** (-age / HALF_LIFE_DAYS) : popularity;
}
