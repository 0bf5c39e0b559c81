import { DAY_MS, HOUR_MS, HOUR_WEIGHTS, startOfDay, weekdayWeight } from "../agenda.ts";
import { createWeightedDraw, type Draw } from "../draw.ts";

/** Exponent and offset of the law by which visits decrease with the rank of a link. */
const POPULARITY = { exponent: 1.2, offset: 4 } as const;
/** Share of links, the most visited ones, that are visited all the time. */
const EVERGREEN_SHARE = 0.001;
/** Days after which the visits of another link are halved. */
const HALF_LIFE_DAYS = 2;

/** Divides visits between links by a power law of their rank; the sum is exact. */
export function divideVisits(links: number, visits: number): Uint32Array {
  const weightOf = (rank: number) => (rank + POPULARITY.offset) ** -POPULARITY.exponent;
  let sum = 0;
  for (let rank = 0; rank < links; rank++) sum += weightOf(rank);
  const counts = new Uint32Array(links);
  let [weightSoFar, visitsSoFar] = [0, 0];
  for (let rank = 0; rank < links; rank++) {
    weightSoFar += weightOf(rank);
    const next = rank === links - 1 ? visits : Math.round(visits * weightSoFar / sum);
    counts[rank] = next - visitsSoFar;
    visitsSoFar = next;
  }
  return counts;
}

/** Returns the numbers below `count` in random order. */
export function shuffledNumbers(draw: Draw, count: number): Uint32Array {
  const numbers = Uint32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = draw.below(at + 1);
    const number = numbers[at] ?? 0;
    numbers[at] = numbers[other] ?? 0;
    numbers[other] = number;
  }
  return numbers;
}

/** Returns whether a link of a rank is visited all the time, rather than mostly when it is new. */
export function isEvergreen(rank: number, links: number): boolean {
  return rank < links * EVERGREEN_SHARE;
}

/** A link whose visits are drawn. */
export interface VisitedLink {
  readonly createdAt: number;
  readonly count: number;
  readonly isEvergreen: boolean;
}

/** Returns a function that draws the times of the visits of a link, ascending and before `now`. */
export function createVisitTimes(draw: Draw, now: number): (link: VisitedLink) => Float64Array {
  const nextHour = createWeightedDraw(draw, HOUR_WEIGHTS);
  return ({ createdAt, count, isEvergreen }) => {
    const days = isEvergreen ? createDays(draw, createdAt, now) : null;
    const times = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      const age = -Math.log2(1 - draw.unit()) * HALF_LIFE_DAYS;
      const start = days === null ? startOfDay(createdAt + age * DAY_MS) : days();
      const time = start + nextHour() * HOUR_MS + draw.below(HOUR_MS);
      const isPossible = time >= createdAt && time < now;
      times[at] = isPossible ? time : createdAt + Math.floor(draw.unit() * Math.min(DAY_MS, now - createdAt));
    }
    return times.sort();
  };
}

/** Returns a function that draws a day from the creation of a link on, by weekdays. */
function createDays(draw: Draw, createdAt: number, now: number): () => number {
  const first = startOfDay(createdAt);
  const starts = Array.from({ length: Math.ceil((now - first) / DAY_MS) }, (_, day) => first + day * DAY_MS);
  const next = createWeightedDraw(draw, starts.map(weekdayWeight));
  return () => starts[next()] ?? first;
}
