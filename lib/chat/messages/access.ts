import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { hasContentAccess, readOpenChannel } from "../channels/access.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { notLoggedIn } from "../users/rights.ts";
import type { UserRecord } from "../users/user.ts";
import { type ConversationRecord, messageKeys, type MessageRecord } from "./message.ts";

/** Who looks at messages; null is a spectator, who has no account and sees what is open to the web. */
export type Viewer = UserRecord | null;

/** A message that somebody may see, and where it stands. */
export interface SeenMessage {
  readonly message: MessageRecord;
  /** Null in conversations. */
  readonly channel: ChannelRecord | null;
  /** Null in channels. */
  readonly conversation: ConversationRecord | null;
  /** Whether it was sent to the viewer, rather than found by him. */
  readonly isReceived: boolean;
}

/**
 * A message for somebody who may see it; existence is never told apart from lack of access.
 * @throws AppError BAD_REQUEST.
 */
export async function accessMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<SeenMessage> {
  return await requireSeen(app, permissions, {
    message: await readMessage(app, permissions.realm.id, id),
    user,
  });
}

/** A message, whoever may see it; null where there is none. */
export async function readMessage(app: ChatApp, realmId: number, id: number): Promise<MessageRecord | null> {
  return Number.isSafeInteger(id) ? await app.reads.read(messageKeys.message(realmId, id)) : null;
}

/**
 * A message that was read, for somebody who may see it.
 * @throws AppError BAD_REQUEST where he may not, or there is none; UNAUTHORIZED for spectators.
 */
export async function requireSeen(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord | null; user: Viewer },
): Promise<SeenMessage> {
  const seen = message === null ? null : await look(app, permissions, { message, user });
  if (seen === null && user === null) throw notLoggedIn();
  if (seen === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
  return seen;
}

/** A message as its viewer may see it; null where he may not. */
export async function look(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: Viewer },
): Promise<SeenMessage | null> {
  const { channel_id, conversation_id } = message;
  if (user === null) return await lookFromTheWeb(app, permissions, message);
  if (channel_id !== null) {
    return await lookInChannel(app, permissions, { message, user, channelId: channel_id });
  }
  if (conversation_id === null) return null;
  const key = messageKeys.conversation(permissions.realm.id, conversation_id);
  const conversation = await app.reads.read<ConversationRecord>(key);
  if (conversation?.user_ids.includes(user.id) !== true) return null;
  return { message, channel: null, conversation, isReceived: true };
}

async function lookFromTheWeb(
  app: ChatApp,
  { realm }: PermissionContext,
  message: MessageRecord,
): Promise<SeenMessage | null> {
  const channel = message.channel_id === null ? null : await readOpenChannel(app, realm, message.channel_id);
  return channel === null ? null : { message, channel, conversation: null, isReceived: false };
}

async function lookInChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user, channelId }: { message: MessageRecord; user: UserRecord; channelId: number },
): Promise<SeenMessage | null> {
  const { id: realmId } = permissions.realm;
  const [channel, subscription] = await Promise.all([
    app.reads.read<ChannelRecord>(channelKeys.channel(realmId, channelId)),
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, user.id, channelId)),
  ]);
  if (channel === null) return null;
  const isSubscribed = subscription?.is_active === true;
  const isReceived = wasReceived(subscription, message.id);
  const isOpen = hasContentAccess(permissions, { channel, user, isSubscribed });
  const isHidden = !channel.history_public_to_subscribers && !isReceived;
  return isOpen && !isHidden ? { message, channel, conversation: null, isReceived } : null;
}

/** Whether an account was subscribed when a message was sent. */
export function wasReceived(subscription: SubscriptionRecord | null, messageId: number): boolean {
  return subscription?.periods.some(({ from, to }) =>
    messageId >= from && (to === null || messageId <= to)
  ) ?? false;
}
