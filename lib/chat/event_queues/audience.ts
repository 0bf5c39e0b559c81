import type { ChatApp } from "../app.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import type { ChatEvent, StoredEvent } from "../events/emit.ts";
import { endedTypes } from "../events/tell_together.ts";
import { canAccessEveryone, canAccessUser } from "../permissions/can_access_user.ts";
import type { QueueRecord } from "../register/queue.ts";
import { readUser } from "../users/store.ts";
import { isAdmin, isGuest, ROLE } from "../users/user.ts";
import type { Receiver } from "./receiver.ts";

/** Channels that are asked for at once, at most. */
const MAX_PLACES = 20;

/** Events that some clients are told as others. */
const TOLD_AS: Readonly<Record<string, readonly string[]>> = {
  user_settings: ["update_display_settings", "update_global_notifications"],
  update_message: ["delete_message", "update_message_flags"],
};

/** Whether a queue's client wants events of a type. */
export function wants({ event_types }: Pick<QueueRecord, "event_types">, type: string): boolean {
  if (event_types === null) return true;
  // Whoever wants the wishes of all kinds has the muted ones among them.
  return event_types.includes(type) && !(type === "muted_topics" && event_types.includes("user_topic"));
}

/** Whether a queue takes the event, and its owner is not plainly somebody else than whom it is for. */
export function mayConcern(queue: QueueRecord, stored: StoredEvent): boolean {
  const { user_id } = queue;
  const { audience } = stored;
  if (typesOf(stored)?.some((type) => wants(queue, type)) === false) return false;
  return typeof audience === "string" || "channel" in audience || audience.includes(user_id);
}

/** The types by which clients that want an event say so; null: whatever they want. */
function typesOf(stored: StoredEvent): readonly string[] | null {
  const ended = endedTypes(stored);
  const { type } = stored.event;
  return ended === undefined ? [type, ...TOLD_AS[type] ?? []] : ended;
}

/**
 * Whether any of some events that may concern a queue is more than a message in a channel where its owner never was: most
 * who wait need not be looked up for those.
 */
export async function isAnyNear(
  { reads }: Pick<ChatApp, "reads">,
  { realmId, queue }: { realmId: number; queue: QueueRecord },
  events: readonly StoredEvent[],
): Promise<boolean> {
  const places = new Set(events.map(({ event, audience }) => {
    const isFarPossible = event.type === "message" && typeof audience !== "string" && "channel" in audience;
    return isFarPossible && !queue.all_public_streams ? audience.channel : null;
  }));
  if (places.size > MAX_PLACES) return true;
  const found = await Promise.all(
    [...places].map((channelId) =>
      channelId === null || reads.read(channelKeys.subscription(realmId, queue.user_id, channelId))
    ),
  );
  return found.some((one) => one !== null);
}

/** Whether the receiver's queue takes the event and, as far as that can be said without asking the store, he may know of it. */
export function mayBeFor({ queue, user }: Receiver, stored: StoredEvent): boolean {
  if (!mayConcern(queue, stored)) return false;
  switch (stored.audience) {
    case "members":
      return !isGuest(user);
    case "guests":
      return isGuest(user);
    case "moderators":
      return user.role <= ROLE.moderator;
    case "admins":
      return isAdmin(user);
    default:
      return true;
  }
}

/** Whether the receiver is told of the event: he is among its audience now, and may know of the account that it is about. */
export async function isFor(receiver: Receiver, stored: StoredEvent): Promise<boolean> {
  if (!mayBeFor(receiver, stored)) return false;
  const { event, audience } = stored;
  // Who was sent a message is written with it, and who may see it is decided there.
  const isSubscribed = typeof audience === "string" || !("channel" in audience) || event.type === "message" ||
    await isSubscriber(receiver, audience.channel);
  return isSubscribed && await mayKnowSubject(receiver, event);
}

async function isSubscriber({ app, permissions, user }: Receiver, channelId: number): Promise<boolean> {
  const key = channelKeys.subscription(permissions.realm.id, user.id, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.is_active === true;
}

/** Events about somebody, of whom guests may have to know nothing. */
const ABOUT_SOMEBODY: readonly string[] = ["presence", "realm_user", "user_status", "typing"];

async function mayKnowSubject({ app, permissions, user }: Receiver, event: ChatEvent): Promise<boolean> {
  if (!ABOUT_SOMEBODY.includes(event.type) || canAccessEveryone(permissions, user)) return true;
  const id = subjectOf(event);
  const subject = id === null ? null : await readUser(app, permissions.realm.id, id);
  return subject !== null && canAccessUser(permissions, user, subject);
}

function subjectOf({ user_id, person, sender }: ChatEvent): number | null {
  const id = user_id ?? idIn(person) ?? idIn(sender);
  return typeof id === "number" ? id : null;
}

function idIn(value: unknown): unknown {
  return typeof value === "object" && value !== null && "user_id" in value ? value.user_id : undefined;
}
