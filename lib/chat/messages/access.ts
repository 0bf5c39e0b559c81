import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { hasContentAccess } from "../channels/model/access.ts";
import { readChannelAsSpectator } from "../channels/store.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { notLoggedIn } from "../users/model.ts";
import type { UserRecord } from "../users/model.ts";
import {
  type ConversationRecord,
  messageKeys,
  type MessageRecord,
  type Viewer,
  type VisibleMessage,
  wasReceived,
} from "./model.ts";
import { readMessage } from "./store.ts";

/**
 * Returns a message that the user can see.
 * @throws AppError BAD_REQUEST for a missing and for an inaccessible message alike.
 */
export async function getVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<VisibleMessage> {
  return await requireVisibleMessage(app, permissions, {
    message: await readMessage(app, permissions.realm.id, id),
    user,
  });
}

/** Creates the refusal of messages that exceed the size of an answer. */
export function tooLarge(): AppError {
  return new AppError("BAD_REQUEST", "These messages are too large for one request. Request fewer.");
}

/**
 * Requires that a stored message exists and that the user can see it.
 * @throws AppError BAD_REQUEST for a missing or inaccessible message; UNAUTHORIZED for spectators.
 */
export async function requireVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord | null; user: Viewer },
): Promise<VisibleMessage> {
  const visible = message === null ? null : await toVisibleMessage(app, permissions, { message, user });
  if (visible === null && user === null) throw notLoggedIn();
  if (visible === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
  return visible;
}

/** Returns a stored message with its channel or conversation, or null when the user cannot see it. */
export async function toVisibleMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: Viewer },
): Promise<VisibleMessage | null> {
  const { channel_id, conversation_id } = message;
  if (user === null) return await toWebPublicMessage(app, permissions, message);
  if (channel_id !== null) {
    return await toVisibleInChannel(app, permissions, { message, user, channelId: channel_id });
  }
  if (conversation_id === null) return null;
  const key = messageKeys.conversation(permissions.realm.id, conversation_id);
  const conversation = await app.reads.read<ConversationRecord>(key);
  if (conversation?.user_ids.includes(user.id) !== true) return null;
  return { message, channel: null, conversation, isReceived: true };
}

async function toWebPublicMessage(
  app: ChatApp,
  { realm }: PermissionContext,
  message: MessageRecord,
): Promise<VisibleMessage | null> {
  const channel = message.channel_id === null
    ? null
    : await readChannelAsSpectator(app, realm, message.channel_id);
  return channel === null ? null : { message, channel, conversation: null, isReceived: false };
}

async function toVisibleInChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { message, user, channelId }: { message: MessageRecord; user: UserRecord; channelId: number },
): Promise<VisibleMessage | null> {
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
