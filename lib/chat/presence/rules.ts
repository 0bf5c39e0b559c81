import type { PresenceRecord } from "./presence.ts";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** Milliseconds by which a connection may be newer than an activity while somebody still counts as active. */
const ACTIVE_OFFSET_MS = 70 * SECOND;
/** Milliseconds after which somebody who reported nothing is away: clients are told the same when they register. */
const OFFLINE_AFTER_MS = 200 * SECOND;
/** Milliseconds after which an active person comes back: one more missed report, and he would be away. */
const COMES_BACK_AFTER_MS = OFFLINE_AFTER_MS - 60 * SECOND;
/** Milliseconds for which a stored report stands for those that follow. */
export const KEPT_MS = 55 * SECOND;
/** Days after which nobody is told any more that somebody was there. */
export const HISTORY_DAYS = 14;

/** What clients report of somebody. */
export const STATUSES = ["active", "idle"] as const;
/** One of them. */
export type PresenceStatus = typeof STATUSES[number];

/** When somebody was there. */
export type Times = Pick<PresenceRecord, "last_active" | "last_connected">;

/** A report and when it came, in milliseconds. */
export interface Report {
  readonly status: PresenceStatus;
  readonly now: number;
}

/** The times after a report; the very same object where the report tells nothing new. */
export function withReport(before: Times | null, { status, now }: Report): Times {
  const isActive = status === "active";
  if (before === null) return { last_active: isActive ? now : null, last_connected: now };
  const isNewlyActive = isActive && isOlder(before.last_active, now, KEPT_MS);
  if (!isNewlyActive && !isOlder(before.last_connected, now, KEPT_MS)) return before;
  return {
    last_active: isNewlyActive ? now : before.last_active,
    last_connected: Math.max(before.last_connected, now),
  };
}

/** Whether a report is news to others: somebody was never there before, or is active after he seemed to leave. */
export function comesBack(before: Times | null, { status, now }: Report): boolean {
  if (before === null) return true;
  return status === "active" && isOlder(before.last_active, now, COMES_BACK_AFTER_MS);
}

function isOlder(time: number | null, now: number, ms: number): boolean {
  return time === null || now - time > ms;
}

/** What somebody is said to be, and since when in milliseconds; who never was active was so when he joined. */
export function statusOf(
  { last_active, last_connected }: Times,
  joinedAt: number,
): { readonly status: PresenceStatus; readonly at: number } {
  const active = last_active ?? joinedAt;
  return active + ACTIVE_OFFSET_MS >= last_connected
    ? { status: "active", at: active }
    : { status: "idle", at: last_connected };
}

/** Whether a time in milliseconds is so long ago that its owner is away. */
export function isAway(at: number, now: number): boolean {
  return now - at > OFFLINE_AFTER_MS;
}

/** Whether somebody was there in the last so many days; nobody was in the last 0. */
export function isRecent({ last_connected }: Times, now: number, days: number): boolean {
  return days > 0 && last_connected >= now - days * DAY;
}
