import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { hasContentAccess } from "@/lib/chat/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { type ConversationRecord, messageKeys, type MessageRecord, wasReceived } from "../model.ts";
import type { ChannelLocation, DirectLocation, EditableMessage } from "./model.ts";

/**
 * Returns a message that a user can see and change; messages of archived channels are read-only.
 * @throws AppError BAD_REQUEST.
 */
export async function getEditableMessage(
  tx: Tx,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<EditableMessage> {
  const message = Number.isSafeInteger(id)
    ? await tx.get<MessageRecord>(messageKeys.message(permissions.realm.id, id))
    : null;
  if (message === null) throw invalidMessage();
  if (message.channel_id === null) {
    return { message, location: await getDirectLocation(tx, permissions, { message, user }) };
  }
  const location = await readChannelLocation(tx, permissions, { channelId: message.channel_id, user });
  if (location === null || !location.isVisible(id)) throw invalidMessage();
  return { message, location };
}

/** Reads an active channel whose content a user can read; null when there is none. */
export async function readChannelLocation(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelLocation | null> {
  const { id: realmId } = permissions.realm;
  const channelViewer = await readChannelViewer(tx, { realmId, channelId, user });
  if (
    channelViewer === null || channelViewer.channel.is_archived ||
    !hasContentAccess(permissions, channelViewer)
  ) return null;
  const { channel } = channelViewer;
  const subscription = await tx.get<SubscriptionRecord>(
    channelKeys.subscription(realmId, user.id, channelId),
  );
  return {
    kind: "channel",
    channel,
    isVisible: (id) => channel.history_public_to_subscribers || wasReceived(subscription, id),
  };
}

async function getDirectLocation(
  tx: Tx,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: UserRecord },
): Promise<DirectLocation> {
  const key = messageKeys.conversation(permissions.realm.id, message.conversation_id ?? 0);
  const conversation = await tx.get<ConversationRecord>(key);
  if (conversation?.user_ids.includes(user.id) !== true) throw invalidMessage();
  return { kind: "direct", conversation };
}

function invalidMessage(): AppError {
  return new AppError("BAD_REQUEST", "Invalid message(s)");
}
