import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import type { ChatEvent, StoredEvent } from "../events/emit.ts";
import { canAccessEveryone, canAccessUser } from "../permissions/can_access_user.ts";
import { readUser } from "../users/store.ts";
import { isAdmin, isGuest } from "../users/user.ts";
import type { Receiver } from "./receiver.ts";

/** Whether the receiver's queue takes the event and, as far as that can be said without asking the store, he may know of it. */
export function mayBeFor({ queue, user }: Receiver, { event, audience }: StoredEvent): boolean {
  if (queue.event_types !== null && !queue.event_types.includes(event.type)) return false;
  if (audience === "members") return !isGuest(user);
  if (audience === "admins") return isAdmin(user);
  return typeof audience === "string" || "channel" in audience || audience.includes(user.id);
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

async function isSubscriber({ app, world, user }: Receiver, channelId: number): Promise<boolean> {
  const key = channelKeys.subscription(world.realm.id, user.id, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.is_active === true;
}

/** Events about somebody, of whom guests may have to know nothing. */
const ABOUT_SOMEBODY: readonly string[] = ["presence", "realm_user", "user_status", "typing"];

async function mayKnowSubject({ app, world, user }: Receiver, event: ChatEvent): Promise<boolean> {
  if (!ABOUT_SOMEBODY.includes(event.type) || canAccessEveryone(world, user)) return true;
  const id = subjectOf(event);
  const subject = id === null ? null : await readUser(app, world.realm.id, id);
  return subject !== null && canAccessUser(world, user, subject);
}

function subjectOf({ user_id, person, sender }: ChatEvent): number | null {
  const id = user_id ?? idIn(person) ?? idIn(sender);
  return typeof id === "number" ? id : null;
}

function idIn(value: unknown): unknown {
  return typeof value === "object" && value !== null && "user_id" in value ? value.user_id : undefined;
}
