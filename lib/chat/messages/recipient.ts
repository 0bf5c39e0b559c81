import { AppError } from "@/lib/core/errors.ts";
import { splitList } from "@/lib/core/text.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { hasChannelPermission, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelId, readChannelViewer } from "@/lib/chat/channels/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  canAccessUser,
  hasRealmPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { parseTopic, requireNewTopicName } from "@/lib/chat/channels/topics/model.ts";
import { type Caller, isBot, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { ChatApp, MessageTarget } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { findKnownUser } from "../organization/users/store.ts";
import {
  type ConversationRecord,
  MAX_PARTICIPANTS,
  messageKeys,
  type Recipient,
  type TopicRecord,
} from "./model.ts";

/**
 * Returns the users to whom a sender writes, given by ids and addresses: users whom the sender can access, or
 * the participants of a conversation that the sender has already.
 * @throws AppError BAD_REQUEST for too many users and for the first other name, which may be of no user.
 */
export async function resolveRecipients(
  app: ChatApp,
  sender: Caller,
  named: readonly (number | string)[],
): Promise<readonly UserRecord[]> {
  const names = [...new Set(named)];
  if (names.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  const permissions = permissionsOf(await app.readOrganization(sender.realm.id), app.clock);
  const found = await Promise.all(names.map((name) => findKnownUser(app, sender, name)));
  const users = found.filter((user) => user !== null);
  const refused = found.findIndex((user) =>
    user === null || !canAccessUser(permissions, sender.actingUser, user)
  );
  const participants = toParticipants(sender.actingUser, users.map(({ id }) => id));
  const isContinued = refused >= 0 && users.length === names.length &&
    await app.reads.read(messageKeys.conversationOf(sender.realm.id, participants)) !== null;
  if (refused < 0 || isContinued) return users;
  const name = names[refused];
  throw new AppError(
    "BAD_REQUEST",
    typeof name === "number" ? `Invalid user ID ${name}` : `Invalid email '${name}'`,
  );
}

/** Returns the error for more participants of a conversation than are allowed. */
export function tooManyParticipants(): AppError {
  return new AppError("BAD_REQUEST", `A direct message goes to ${MAX_PARTICIPANTS} people at most.`);
}

interface RequestedTarget {
  readonly type: "stream" | "channel" | "private" | "direct";
  readonly to: number | string | readonly (number | string)[];
  readonly topic: string | undefined;
}

/**
 * Resolves the destination parameters of a request; permissions for channels are checked when the message
 * is sent.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function resolveTarget(
  app: ChatApp,
  sender: Caller,
  requested: RequestedTarget,
): Promise<MessageTarget> {
  const { type, to, topic } = requested;
  if (type === "private" || type === "direct") {
    // Older clients send addresses as one text, separated by commas.
    const users = await resolveRecipients(app, sender, typeof to === "string" ? splitList(to) : [to].flat());
    return { kind: "direct", userIds: users.map(({ id }) => id) };
  }
  if (topic === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'topic' argument", {
      field: "topic",
      extra: { var_name: "topic" },
    });
  }
  const [channel, ...others] = [to].flat();
  if (channel === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Expected exactly one channel", { field: "to" });
  }
  return { kind: "channel", channel, topic: parseTopic(topic) };
}

/**
 * Returns the recipient of a message after permission checks; creates a new topic or conversation.
 * @throws AppError STREAM_DOES_NOT_EXIST, or BAD_REQUEST for unknown users and without permission.
 */
export async function openRecipient(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: MessageTarget },
): Promise<Recipient> {
  if (target.kind === "direct") {
    return await openDirectRecipient(tx, permissions, { sender, userIds: target.userIds });
  }
  const channel = await getSendableChannel(tx, permissions, { sender, target });
  const existing = await openTopic(tx, permissions, { channel, topic: target.topic, user: sender });
  return { kind: "channel", channel, topic: target.topic, isNewTopic: existing === null };
}

/**
 * Requires that a sender could send to a recipient now; creates nothing.
 * @throws AppError BAD_REQUEST when the recipient does not exist or the sender lacks permission.
 */
export async function requireRecipient(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: MessageTarget },
): Promise<void> {
  if (target.kind === "direct") {
    const direct = { sender, userIds: target.userIds };
    const users = await listParticipants(tx, permissions, direct);
    const isNew = await readConversationId(tx, permissions, users) === null;
    return requireDirectAllowed(permissions, { sender, users, isNew });
  }
  const channel = await getSendableChannel(tx, permissions, { sender, target });
  await requireTopic(tx, permissions, { channel, topic: target.topic, user: sender });
}

/**
 * Requires that a topic can receive messages and creates it when it is new. Returns the topic's previous
 * record.
 * @throws AppError BAD_REQUEST.
 */
export async function openTopic(
  tx: Tx,
  permissions: PermissionContext,
  opened: TopicOfUser,
): Promise<TopicRecord | null> {
  const existing = await requireTopic(tx, permissions, opened);
  const { channel, topic } = opened;
  const { id: realmId } = permissions.realm;
  if (existing === null) {
    tx.set(messageKeys.topic(realmId, channel.id, topic), { name: topic } satisfies TopicRecord);
    if (topic !== "") tx.sum(channelKeys.namedTopicCount(realmId, channel.id), 1n);
  }
  return existing;
}

interface TopicOfUser {
  readonly channel: ChannelRecord;
  readonly topic: string;
  readonly user: UserRecord;
}

/**
 * Requires that a topic can receive messages and returns its record; null for one the user may create.
 * @throws AppError BAD_REQUEST.
 */
export async function requireTopic(
  tx: Tx,
  permissions: PermissionContext,
  { channel, topic, user }: TopicOfUser,
): Promise<TopicRecord | null> {
  requireTopicAllowed(channel, topic);
  const { id: realmId } = permissions.realm;
  // The removal of a topic changes the version of the organization.
  const existing = await tx.settled<TopicRecord>(realmId, messageKeys.topic(realmId, channel.id, topic));
  if (existing !== null) return existing;
  requireNewTopicName(topic);
  const canCreate = user.is_system_bot === true ||
    hasChannelPermission(permissions, { channel, user }, "can_create_topic_group");
  if (!canCreate) {
    throw new AppError("BAD_REQUEST", "You do not have permission to create new topics in this channel.", {
      field: "topic",
    });
  }
  return null;
}

/** Returns a channel that the sender can send to; an inaccessible channel is reported like a missing one. */
async function getSendableChannel(
  tx: Tx,
  permissions: PermissionContext,
  { sender, target }: { sender: UserRecord; target: Extract<MessageTarget, { kind: "channel" }> },
): Promise<ChannelRecord> {
  const { id: realmId } = permissions.realm;
  const channelId = typeof target.channel === "number"
    ? target.channel
    : await readChannelId(tx, realmId, target.channel);
  const channelViewer = channelId === null
    ? null
    : await readChannelViewer(tx, { realmId, channelId, user: sender });
  const isSystemBot = sender.is_system_bot === true;
  if (channelViewer === null || !isSystemBot && !hasContentAccess(permissions, channelViewer)) {
    const [name, extra] = typeof target.channel === "number"
      ? [`with ID '${target.channel}'`, { stream_id: target.channel }]
      : [`'${target.channel}'`, { stream: target.channel }];
    throw new AppError("STREAM_DOES_NOT_EXIST", `Channel ${name} does not exist`, { field: "to", extra });
  }
  const { channel } = channelViewer;
  if (
    channel.is_archived ||
    !isSystemBot && !hasChannelPermission(permissions, { channel, user: sender }, "can_send_message_group")
  ) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${channel.name}'`, { field: "to" });
  }
  return channel;
}

function requireTopicAllowed({ topics_policy }: ChannelRecord, topic: string): void {
  if (topics_policy === "empty_topic_only" && topic !== "") {
    throw new AppError("BAD_REQUEST", "Only the general chat topic is allowed in this channel.", {
      field: "topic",
    });
  }
  if (topics_policy === "disable_empty_topic" && topic === "") {
    throw new AppError(
      "BAD_REQUEST",
      "Sending messages to the general chat is not allowed in this channel.",
      { field: "topic" },
    );
  }
}

async function openDirectRecipient(
  tx: Tx,
  permissions: PermissionContext,
  direct: { sender: UserRecord; userIds: readonly number[] },
): Promise<Recipient> {
  const { realm } = permissions;
  const users = await listParticipants(tx, permissions, direct);
  const user_ids = users.map(({ id }) => id);
  const key = messageKeys.conversationOf(realm.id, user_ids);
  const existing = await readConversationId(tx, permissions, users);
  requireDirectAllowed(permissions, { sender: direct.sender, users, isNew: existing === null });
  const conversation = { id: existing ?? await tx.nextId("conversation"), user_ids };
  if (existing === null) {
    tx.set(key, conversation.id);
    tx.set(messageKeys.conversation(realm.id, conversation.id), conversation satisfies ConversationRecord);
  }
  return { kind: "direct", conversation };
}

async function readConversationId(
  tx: Tx,
  { realm }: PermissionContext,
  users: readonly UserRecord[],
): Promise<number | null> {
  // A conversation is never removed.
  return await tx.settled<number>(realm.id, messageKeys.conversationOf(realm.id, users.map(({ id }) => id)));
}

/**
 * Requires that the organization permits a direct message. Bots, and users who write to bots or to themselves, need no
 * permission.
 * @throws AppError BAD_REQUEST.
 */
function requireDirectAllowed(
  permissions: PermissionContext,
  { sender, users, isNew }: {
    sender: UserRecord;
    users: readonly UserRecord[];
    /** Whether the conversation has no messages yet. */
    isNew: boolean;
  },
): void {
  if (isBot(sender) || users.every((user) => isBot(user) || user.id === sender.id)) return;
  if (!users.some((user) => hasRealmPermission(permissions, "direct_message_permission_group", user))) {
    const nobody = systemGroupId(permissions.realm, "role:nobody");
    const isOff = permissions.realm.permissions["direct_message_permission_group"] === nobody;
    throw new AppError(
      "BAD_REQUEST",
      isOff
        ? "Direct messages are disabled in this organization."
        : "This conversation does not include any users who can authorize it.",
    );
  }
  if (isNew && !hasRealmPermission(permissions, "direct_message_initiator_group", sender)) {
    throw new AppError("BAD_REQUEST", "You do not have permission to start direct message conversations.");
  }
}

/** Returns all participants by ascending id, each of whom must be active. */
async function listParticipants(
  tx: Tx,
  { realm }: PermissionContext,
  { sender, userIds }: { sender: UserRecord; userIds: readonly number[] },
): Promise<readonly UserRecord[]> {
  const user_ids = toParticipants(sender, userIds);
  if (userIds.length === 0) throw new AppError("BAD_REQUEST", "Message must have recipients");
  if (user_ids.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  const users = await Promise.all(
    user_ids.map((id) => Number.isSafeInteger(id) ? tx.peek<UserRecord>(userKeys.user(realm.id, id)) : null),
  );
  return user_ids.map((id, at) => {
    const user = users[at] ?? null;
    if (user === null) throw new AppError("BAD_REQUEST", `Invalid user ID ${id}`);
    if (!user.is_active) throw new AppError("BAD_REQUEST", `'${user.full_name}' is no longer using Sotto.`);
    return user;
  });
}

/** Returns the ids of the sender and the users to whom they write, in ascending order. */
function toParticipants({ id }: UserRecord, userIds: readonly number[]): number[] {
  return [...new Set([id, ...userIds])].sort((a, b) => a - b);
}
