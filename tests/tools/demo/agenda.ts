import type { Progress } from "@/lib/cli/progress.ts";
import type { DemoSite } from "./site.ts";

/** One day in milliseconds. */
export const DAY_MS = 86_400_000;
/** One hour in milliseconds. */
export const HOUR_MS = 3_600_000;
/** One minute in milliseconds. */
export const MINUTE_MS = 60_000;

/** Reports the share of an action that is done, from 0 to 1. */
export type Advance = (share: number) => void;

/** Something that happens in the organization at a time. */
export interface Action {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly run: (site: DemoSite, advance: Advance) => Promise<unknown>;
  /** Expected duration, relative to that of one request; 1 by default. */
  readonly weight?: number;
}

/** Runs actions in the order of their times, each at its own time of the organization's clock. */
export async function runAgenda(
  site: DemoSite,
  actions: readonly Action[],
  progress: Progress,
): Promise<void> {
  // Sorting is stable, so actions of one time stay in the order in which they were planned.
  for (const { at, run, weight = 1 } of actions.toSorted((one, other) => one.at - other.at)) {
    site.clock.time = at;
    let done = 0;
    await run(site, (share) => {
      progress.advance((share - done) * weight);
      done = share;
    });
    progress.advance((1 - done) * weight);
  }
}

/** Returns the weight of all actions together. */
export function sumWeights(actions: readonly Action[]): number {
  return actions.reduce((sum, { weight = 1 }) => sum + weight, 0);
}

/** Times of a story that ends at `now`. */
export interface Timeline {
  /** End of the story, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Returns the time so many days before the end. */
  daysAgo(days: number): number;
}

/** Creates the timeline of a story that ends at `now`. */
export function createTimeline(now: number): Timeline {
  return { now, daysAgo: (days) => now - Math.round(days * DAY_MS) };
}

/** Shares of a day's activity by hour of UTC: those of gardeners whose evening is around midnight UTC. */
const HOURS = [7, 5, 3, 1.5, 0.6, 0.3, 0.2, 0.2, 0.3, 0.5, 1.2, 2.5, 4, 5, 5, 5, 6, 6, 5, 5, 5, 6, 7, 8];
/** Shares of a week's activity by day, Sunday first. */
const WEEKDAYS = [1.2, 0.8, 0.85, 1, 0.9, 1.1, 1.7];

/** Weight of the activity of each hour of a day. */
export const HOUR_WEIGHTS: readonly number[] = HOURS;

/** Returns the weight of the activity of the day that a time belongs to. */
export function weekdayWeight(at: number): number {
  return WEEKDAYS[new Date(at).getUTCDay()] ?? 1;
}

/** Returns the start of the day (UTC) that a time belongs to. */
export function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}
