/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;
/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;
/** 1970-01-01 was a Thursday. */
const DAYS_SINCE_MONDAY = 3;

/** Returns the day of a time in milliseconds: whole days since 1970 UTC. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** Returns the hour of a time in milliseconds: whole hours since 1970 UTC. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** Returns the first day of a day's week, a Monday. */
export function weekStartOf(day: number): number {
  return day - (((day + DAYS_SINCE_MONDAY) % 7) + 7) % 7;
}
