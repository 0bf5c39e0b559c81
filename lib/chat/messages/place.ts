import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { hasContentAccess, may, readVisitor } from "../channels/access.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { type ConversationRecord, messageKeys, type TopicRecord } from "./message.ts";

/** Where a message is to go: a channel by its id or name, with a topic, or people by their ids. */
export type MessageTarget =
  | { readonly kind: "channel"; readonly channel: number | string; readonly topic: string }
  | { readonly kind: "direct"; readonly userIds: readonly number[] };

/** Where a message goes, once it is known that it may. */
export type Recipient =
  | { readonly kind: "channel"; readonly channel: ChannelRecord; readonly topic: string }
  | { readonly kind: "direct"; readonly conversation: ConversationRecord };

/** The most people who take part in one conversation. */
export const MAX_PARTICIPANTS = 50;

/**
 * The place that a message goes to; a new topic or conversation is written down with it.
 * @throws AppError BAD_REQUEST where the sender may not write there, or nothing is there.
 */
export function openPlace(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: MessageTarget },
): Promise<Recipient> {
  return target.kind === "channel"
    ? openTopic(tx, permissions, { sender, target })
    : openConversation(tx, permissions, { sender, userIds: target.userIds });
}

type ChannelTarget = Extract<MessageTarget, { kind: "channel" }>;

async function openTopic(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: ChannelTarget },
): Promise<Recipient> {
  const { channel } = await accessForSending(tx, permissions, { sender, target });
  await enterTopic(tx, permissions, { channel, topic: target.topic, user: sender });
  return { kind: "channel", channel, topic: target.topic };
}

/**
 * Sees that messages may come into a topic, and writes it down where it is new; gives what was known of it before.
 * @throws AppError BAD_REQUEST.
 */
export async function enterTopic(
  tx: Tx,
  permissions: PermissionContext,
  { channel, topic, user }: { channel: ChannelRecord; topic: string; user: UserRecord },
): Promise<TopicRecord | null> {
  requireTopicAllowed(channel, topic);
  const { id: realmId } = permissions.realm;
  const key = messageKeys.topic(realmId, channel.id, topic);
  const known = await tx.get<TopicRecord>(key);
  if (known === null) {
    const mayOpen = user.is_system_bot === true ||
      may(permissions, { channel, user }, "can_create_topic_group");
    if (!mayOpen) {
      throw new AppError("BAD_REQUEST", "You do not have permission to create new topics in this channel.");
    }
    tx.set(key, { name: topic } satisfies TopicRecord);
    if (topic !== "") tx.sum(channelKeys.namedTopicCount(realmId, channel.id), 1n);
  }
  return known;
}

/** Nobody learns from a refusal that there is a channel which he may not know of. */
async function accessForSending(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: ChannelTarget },
): Promise<{ channel: ChannelRecord }> {
  const { id: realmId } = permissions.realm;
  const channelId = typeof target.channel === "number"
    ? target.channel
    : await tx.get<number>(channelKeys.byName(realmId, target.channel));
  const visitor = channelId === null ? null : await readVisitor(tx, { realmId, channelId, user: sender });
  if (visitor === null || sender.is_system_bot !== true && !hasContentAccess(permissions, visitor)) {
    const name = typeof target.channel === "number" ? `with ID '${target.channel}'` : `'${target.channel}'`;
    throw new AppError("BAD_REQUEST", `Channel ${name} does not exist`);
  }
  const { channel } = visitor;
  const isVoice = sender.is_system_bot === true;
  if (
    channel.is_archived || !isVoice && !may(permissions, { channel, user: sender }, "can_send_message_group")
  ) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${channel.name}'`);
  }
  return { channel };
}

function requireTopicAllowed({ topics_policy }: ChannelRecord, topic: string): void {
  if (topics_policy === "empty_topic_only" && topic !== "") {
    throw new AppError("BAD_REQUEST", "Only the general chat topic is allowed in this channel.");
  }
  if (topics_policy === "disable_empty_topic" && topic === "") {
    throw new AppError("BAD_REQUEST", "Sending messages to the general chat is not allowed in this channel.");
  }
}

async function openConversation(
  tx: Tx,
  { realm }: PermissionContext,
  { sender, userIds }: { sender: UserRecord; userIds: readonly number[] },
): Promise<Recipient> {
  const user_ids = [...new Set([sender.id, ...userIds])].sort((one, other) => one - other);
  if (userIds.length === 0) throw new AppError("BAD_REQUEST", "Message must have recipients");
  if (user_ids.length > MAX_PARTICIPANTS) {
    throw new AppError("BAD_REQUEST", `A direct message goes to ${MAX_PARTICIPANTS} people at most.`);
  }
  for (const id of user_ids) await requireReachable(tx, realm.id, id);
  const key = messageKeys.conversationOf(realm.id, user_ids);
  const known = await tx.get<number>(key);
  const conversation = { id: known ?? await tx.nextId("conversation"), user_ids };
  if (known === null) {
    tx.set(key, conversation.id);
    tx.set(messageKeys.conversation(realm.id, conversation.id), conversation satisfies ConversationRecord);
  }
  return { kind: "direct", conversation };
}

async function requireReachable(tx: Tx, realmId: number, id: number): Promise<void> {
  const user = Number.isSafeInteger(id) ? await tx.peek<UserRecord>(userKeys.user(realmId, id)) : null;
  if (user === null) throw new AppError("BAD_REQUEST", `Invalid user ID ${id}`);
  if (!user.is_active) throw new AppError("BAD_REQUEST", `'${user.full_name}' is no longer using Sotto.`);
}
