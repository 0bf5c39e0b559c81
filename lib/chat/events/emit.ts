import type { Tx } from "@/lib/kv/transact.ts";
import type { Key } from "@/lib/kv/key.ts";

/**
 * Who is told of a change: everybody of the organization, all but guests, guests alone, moderators and whoever is above
 * them, administrators, some users by their ids, or whoever is subscribed to a channel when it is told.
 */
export type Audience =
  | "everyone"
  | "members"
  | "guests"
  | "moderators"
  | "admins"
  | readonly number[]
  | { readonly channel: number };

/** What is told, as clients receive it: `type`, often `op`, and the members that belong to them. */
export interface ChatEvent {
  readonly type: string;
  readonly op?: string;
  readonly [member: string]: unknown;
}

/** An event as it is kept until everybody was told. */
export interface StoredEvent {
  readonly event: ChatEvent;
  readonly audience: Audience;
}

/** How long events are kept for clients that are away, in milliseconds. */
export const EVENT_LIFETIME_MS = 60 * 60 * 1000;

/** Where events lie in the store: by time, then by what no other event has. */
export const eventKeys = {
  events: (realmId: number): Key => [realmId, "event"],
  event: (realmId: number, at: number, unique: string): Key => [realmId, "event", at, unique],
};

/** What a commit with events of an organization rings. */
export function eventSignal(realmId: number): string {
  return `event ${realmId}`;
}

/** Tells of a change, in the same commit as the change itself; `now` in milliseconds. */
export function sendEvent(
  tx: Tx,
  { realmId, now }: { realmId: number; now: number },
  told: StoredEvent,
): void {
  const key = eventKeys.event(realmId, now, `${tx.nextOrder()}-${crypto.randomUUID()}`);
  tx.set(key, told, { expireIn: EVENT_LIFETIME_MS });
  tx.ring(eventSignal(realmId));
}
