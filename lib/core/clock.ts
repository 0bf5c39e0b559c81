/** Source of the time, so that tests can set it. */
export interface Clock {
  /** Returns milliseconds since 1970 UTC; may step back when the machine's clock is set. */
  now(): number;
  /** Returns milliseconds that never step back, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

const SECOND_MS = 1000;

/**
 * Creates a formatter of times (milliseconds since 1970 UTC) as `2026-11-21T11:00:00.000Z`. Times of the same
 * second share its text, which is three times as fast as Date for bursts.
 */
export function createTimestamper(): (time: number) => string {
  let second = NaN;
  let prefix = "";
  return (time) => {
    const current = Math.floor(time / SECOND_MS);
    if (current !== second) {
      second = current;
      prefix = new Date(current * SECOND_MS).toISOString().slice(0, -4);
    }
    return `${prefix}${String(time - current * SECOND_MS).padStart(3, "0")}Z`;
  };
}

/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;
/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;
/** 1970-01-01 was a Thursday. */
const DAYS_SINCE_MONDAY = 3;

/**
 * Parses a date such as `2026-11-23`, or a time such as `2026-11-23T09:30` or `2026-11-23T09:30:15`, in UTC, to
 * milliseconds; NaN for other text and for a day or hour that does not exist, which `Date.parse` moves on.
 */
export function parseUtc(text: string): number {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?$/.test(text)) return Number.NaN;
  const time = Date.parse(text.includes("T") ? `${text}Z` : text);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? Number.NaN : time;
}

/**
 * Parses a date or time such as `2026-11-23T09:30` in a time zone to milliseconds; NaN for other text. A time that a
 * change of clocks leaves out is moved on, and of two the first is meant.
 */
export function parseLocal(text: string, timeZone: string): number {
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return Number.NaN;
  }
}

/** Writes a time in milliseconds for a field, in a time zone: `2026-11-23T09:30`, with seconds only if there are any. */
export function toLocal(time: number, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return String(local).replace(/(T\d\d:\d\d):00$/, "$1");
}

/** Returns a time in milliseconds in whole seconds. */
export function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

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
