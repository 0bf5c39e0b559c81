import { chunk } from "es-toolkit/array/chunk";
import type { Key } from "@/lib/store/key.ts";

/**
 * Recipients of an event: everyone in the organization, everyone but guests, guests only, moderators and
 * above, administrators, users by id, or the users subscribed to a channel at the time of delivery.
 */
export type Audience =
  | "everyone"
  | "members"
  | "guests"
  | "moderators"
  | "admins"
  | readonly number[]
  | { readonly channel: number };

/** A change as clients receive it: `type`, often `op`, and the members that belong to them. */
export interface ChatEvent {
  readonly type: string;
  readonly op?: string;
  readonly [member: string]: unknown;
}

/** An event as stored until every client received it. */
export interface StoredEvent {
  readonly event: ChatEvent;
  readonly audience: Audience;
}

/** Time for which events are kept for clients that are away, in milliseconds. */
export const EVENT_LIFETIME_MS = 60 * 60 * 1000;
/**
 * Milliseconds by which a commit may lag behind the time of its events (a locked store is retried for four
 * seconds), and by which the clocks of two servers of one store may differ.
 */
export const COMMIT_LAG_MS = 10_000;
/** Maximum number of events of one change; together with the change itself, they fit into one commit. */
export const MAX_EVENTS_IN_COMMIT = 250;
/** Maximum number of ids in one event, which has to fit into one record of the store. */
const MAX_IDS_IN_EVENT = 1000;

/** Type of the internal event that ends queues; clients never receive it. */
const QUEUE_END = "queue_end";
/** Type of the internal event of ended sessions; clients never receive it. */
const SESSIONS_END = "sessions_end";

/** Keys of the stored events, by time, then by a unique string, and of their number. */
export const eventKeys = {
  events: (realmId: number): Key => [realmId, "event"],
  event: (realmId: number, at: number, unique: string): Key => [realmId, "event", at, unique],
  /** Number of events that were ever stored, kept as a sum. */
  count: (realmId: number): Key => [realmId, "event_count"],
};

/** Returns the name of the signal that a commit with events of an organization raises. */
export function eventSignal(realmId: number): string {
  return `event ${realmId}`;
}

/** Splits ids into lists that each fit into one event. */
export function chunkIds(ids: readonly number[]): readonly (readonly number[])[] {
  return chunk(ids, MAX_IDS_IN_EVENT);
}

/**
 * Returns the event that ends the queues of an audience that receive events of any of the types; null means
 * every type. The clients of those queues register again and so read the current state.
 */
export function queueEndEvent(types: readonly string[] | null, audience: Audience): StoredEvent {
  return { event: { type: QUEUE_END, types }, audience };
}

/** Types of events whose content depends on the accounts that the receiver can access. */
export const USER_ACCESS_TYPES: readonly string[] = [
  "realm_user",
  "user_status",
  "presence",
  "user_group",
];

/**
 * Returns the types of a queue end event, null for every type; undefined when the event is an ordinary one.
 */
export function endedTypes({ event }: StoredEvent): readonly string[] | null | undefined {
  if (event.type !== QUEUE_END) return undefined;
  const { types } = event;
  return Array.isArray(types) ? types : null;
}

/** Returns the event that has waiting requests of an account check their session; no client receives it. */
export function sessionsEndEvent(userId: number): ChatEvent {
  return { type: SESSIONS_END, user_id: userId };
}

/** Whether an event concerns an account, its credentials or its organization so that waiting requests may end. */
export function isAccessChange(
  { event: { type, op, user_id, person } }: StoredEvent,
  userId: number,
): boolean {
  switch (type) {
    case "realm":
      return op === "deactivated";
    case "realm_user":
      return typeof person === "object" && person !== null && "user_id" in person &&
        person.user_id === userId;
    case "api_key":
    case SESSIONS_END:
      return user_id === userId;
    default:
      return false;
  }
}

export function mergeAudiences(audiences: readonly Audience[]): Audience {
  const [first] = audiences;
  if (typeof first === "string" && audiences.every((audience) => audience === first)) return first;
  const ids = new Set<number>();
  for (const audience of audiences) {
    if (typeof audience === "string" || "channel" in audience) return "everyone";
    for (const id of audience) ids.add(id);
  }
  return ids.size > MAX_IDS_IN_EVENT ? "everyone" : [...ids];
}

export function isQueueId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}
