import { toSeconds } from "@/lib/core/clock.ts";
import type { Key } from "@/lib/store/key.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

/** Maximum lead of the last connection over the last activity at which a user still counts as active. */
const ACTIVE_OFFSET_MS = 70 * SECOND;
/** Time without a report after which a user is offline; clients receive the same value when they register. */
const OFFLINE_AFTER_MS = 200 * SECOND;
/** Time without activity after which it is an arrival: one more missed report means offline. */
const ARRIVAL_AFTER_MS = OFFLINE_AFTER_MS - 60 * SECOND;
/** Time by which hidden presence lies beyond the offline threshold, as clocks differ. */
const HIDDEN_MARGIN_MS = 120 * SECOND;
/** Minimum time between two stored reports of the same kind. */
export const MIN_STORE_INTERVAL_MS = 55 * SECOND;
/** Maximum age of presence that clients receive, in days. */
export const HISTORY_DAYS = 14;

/** All clients of a user are reported under this name. */
const CLIENT = "website";

export const PRESENCE_STATUSES = ["active", "idle"] as const;
type PresenceStatus = typeof PRESENCE_STATUSES[number];

/** The presence of a user; times in milliseconds since 1970 UTC. */
export interface PresenceRecord {
  readonly user_id: number;
  /** Time of the last activity, or null for a user who has only been connected. */
  readonly last_active: number | null;
  /** Time of the last report of any client; never before `last_active`. */
  readonly last_connected: number;
  /** Larger than the id of every report stored before. */
  readonly update_id: number;
  /** Set while the user has turned presence off; the times are then those of a user who is offline. */
  readonly is_hidden?: true;
}

export type PresenceTimes = Pick<PresenceRecord, "last_active" | "last_connected">;

/** A report and the time it was received, in milliseconds since 1970 UTC. */
export interface PresenceReport {
  readonly status: PresenceStatus;
  readonly now: number;
}

export interface UserPresence {
  readonly user: UserRecord;
  readonly times: PresenceTimes;
}

export interface PresenceQuery {
  readonly isSlim: boolean;
  /** Only presence with a larger update id, when greater than 0. */
  readonly after?: number | undefined;
  readonly days?: number | undefined;
}

export const presenceKeys = {
  presences: (realmId: number): Key => [realmId, "presence"],
  presence: (realmId: number, userId: number): Key => [realmId, "presence", userId],
  /** Ids of the users in the order of their last stored reports. */
  updates: (realmId: number): Key => [realmId, "presence_update"],
  update: (realmId: number, updateId: number): Key => [realmId, "presence_update", updateId],
  /** Id of the last stored report of all organizations. */
  head: ["seq", "presence"],
} as const;

/** Returns the times after a report, or the same object when the report changes nothing. */
export function applyReport(before: PresenceTimes | null, { status, now }: PresenceReport): PresenceTimes {
  const isActive = status === "active";
  if (before === null) return { last_active: isActive ? now : null, last_connected: now };
  const isNewlyActive = isActive && isOlder(before.last_active, now, MIN_STORE_INTERVAL_MS);
  if (!isNewlyActive && !isOlder(before.last_connected, now, MIN_STORE_INTERVAL_MS)) return before;
  return {
    last_active: isNewlyActive ? now : before.last_active,
    last_connected: Math.max(before.last_connected, now),
  };
}

/** Returns the times of a user who turns presence off: those of one who is offline, however active they are. */
export function toHiddenTimes({ last_active, last_connected }: PresenceTimes, now: number): PresenceTimes {
  const connected = now - OFFLINE_AFTER_MS - HIDDEN_MARGIN_MS;
  return {
    // Clients take a user without activity for active at the time they joined.
    last_active: Math.min(last_active ?? Infinity, connected - ACTIVE_OFFSET_MS - SECOND),
    last_connected: Math.min(last_connected, connected),
  };
}

/** Whether a report is the first or shows activity after a long absence; other users are notified. */
export function isArrival(before: PresenceTimes | null, { status, now }: PresenceReport): boolean {
  if (before === null) return true;
  return status === "active" && isOlder(before.last_active, now, ARRIVAL_AFTER_MS);
}

function isOlder(time: number | null, now: number, ms: number): boolean {
  return time === null || now - time > ms;
}

/** Returns a status and its time in milliseconds; a user who was never active was so on joining. */
export function deriveStatus(
  { last_active, last_connected }: PresenceTimes,
  joinedAt: number,
): { readonly status: PresenceStatus; readonly at: number } {
  const active = last_active ?? joinedAt;
  return active + ACTIVE_OFFSET_MS >= last_connected
    ? { status: "active", at: active }
    : { status: "idle", at: last_connected };
}

/** Returns whether a user with presence at the given time, in milliseconds, is offline. */
export function isOffline(at: number, now: number): boolean {
  return now - at > OFFLINE_AFTER_MS;
}

/** Returns whether a user was connected in the last `days` days; always false for 0. */
export function isRecent({ last_connected }: PresenceTimes, now: number, days: number): boolean {
  return days > 0 && last_connected >= now - days * DAY;
}

/** Returns presence in the format that identifies users by email address. */
export function toPresence(presence: UserPresence) {
  const { status, at } = toStatus(presence);
  const timestamp = toSeconds(at);
  return {
    aggregated: { client: CLIENT, status, timestamp },
    [CLIENT]: { client: CLIENT, status, timestamp, pushable: false },
  };
}

export function toSlimPresence({ user, times }: UserPresence) {
  return {
    active_timestamp: toSeconds(times.last_active ?? user.date_joined),
    idle_timestamp: toSeconds(times.last_connected),
  };
}

/** Returns presence in the format for a single user, which includes the status offline. */
export function toSinglePresence(presence: UserPresence, now: number) {
  const { status, at } = toStatus(presence);
  const timestamp = toSeconds(at);
  return {
    aggregated: { status: isOffline(at, now) ? "offline" : status, timestamp },
    [CLIENT]: { status, timestamp },
  };
}

function toStatus({ user, times }: UserPresence) {
  return deriveStatus(times, user.date_joined);
}
