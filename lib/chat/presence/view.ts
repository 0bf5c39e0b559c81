import type { UserRecord } from "../users/user.ts";
import { isAway, statusOf, type Times } from "./rules.ts";

/** All clients of a person count as this one. */
const CLIENT = "website";

/** An account and when its owner was there. */
export interface Seen {
  readonly user: UserRecord;
  readonly times: Times;
}

/** Presence as clients have it that know people by address. */
export function toPresence(seen: Seen) {
  const { status, at } = toStatus(seen);
  const timestamp = toSeconds(at);
  return {
    aggregated: { client: CLIENT, status, timestamp },
    [CLIENT]: { client: CLIENT, status, timestamp, pushable: false },
  };
}

/** Presence as clients have it that know people by id. */
export function toSlimPresence({ user, times }: Seen) {
  return {
    active_timestamp: toSeconds(times.last_active ?? user.date_joined),
    idle_timestamp: toSeconds(times.last_connected),
  };
}

/** Presence as one asks for it of one person, whose absence it tells. */
export function toPersonalPresence(seen: Seen, now: number) {
  const { status, at } = toStatus(seen);
  const timestamp = toSeconds(at);
  return {
    aggregated: { status: isAway(at, now) ? "offline" : status, timestamp },
    [CLIENT]: { status, timestamp },
  };
}

function toStatus({ user, times }: Seen) {
  return statusOf(times, user.date_joined);
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
