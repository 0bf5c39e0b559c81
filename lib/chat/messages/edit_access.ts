import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { hasContentAccess, readVisitor } from "../channels/access.ts";
import { channelKeys, type ChannelRecord, type SubscriptionRecord } from "../channels/channel.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import { wasReceived } from "./access.ts";
import { type ConversationRecord, messageKeys, type MessageRecord } from "./message.ts";

/** A message that somebody may see and that can still be changed, as a transaction sees it. */
export type Changeable =
  | { readonly message: MessageRecord; readonly place: ChannelPlace }
  | { readonly message: MessageRecord; readonly place: DirectPlace };

/** A channel in use, as the one who changes a message in it sees it. */
export interface ChannelPlace {
  readonly kind: "channel";
  readonly channel: ChannelRecord;
  /** Whether he may see a message of the channel. */
  readonly isSeen: (messageId: number) => boolean;
}

/** A conversation of the one who changes a message in it. */
export interface DirectPlace {
  readonly kind: "direct";
  readonly conversation: ConversationRecord;
}

/**
 * A message that somebody wants to change; those of archived channels can only be read.
 * @throws AppError BAD_REQUEST.
 */
export async function accessForChange(
  tx: Tx,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<Changeable> {
  const message = Number.isSafeInteger(id)
    ? await tx.get<MessageRecord>(messageKeys.message(permissions.realm.id, id))
    : null;
  if (message === null) throw invalidMessage();
  if (message.channel_id === null) {
    return { message, place: await readDirect(tx, permissions, { message, user }) };
  }
  const place = await readChannelPlace(tx, permissions, { channelId: message.channel_id, user });
  if (place === null || !place.isSeen(id)) throw invalidMessage();
  return { message, place };
}

/** A channel in use that somebody may read; null where there is none. */
export async function readChannelPlace(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelPlace | null> {
  const { id: realmId } = permissions.realm;
  const visitor = await readVisitor(tx, { realmId, channelId, user });
  if (visitor === null || visitor.channel.is_archived || !hasContentAccess(permissions, visitor)) return null;
  const { channel } = visitor;
  const subscription = await tx.get<SubscriptionRecord>(
    channelKeys.subscription(realmId, user.id, channelId),
  );
  return {
    kind: "channel",
    channel,
    isSeen: (id) => channel.history_public_to_subscribers || wasReceived(subscription, id),
  };
}

async function readDirect(
  tx: Tx,
  permissions: PermissionContext,
  { message, user }: { message: MessageRecord; user: UserRecord },
): Promise<DirectPlace> {
  const key = messageKeys.conversation(permissions.realm.id, message.conversation_id ?? 0);
  const conversation = await tx.get<ConversationRecord>(key);
  if (conversation?.user_ids.includes(user.id) !== true) throw invalidMessage();
  return { kind: "direct", conversation };
}

function invalidMessage(): AppError {
  return new AppError("BAD_REQUEST", "Invalid message(s)");
}
