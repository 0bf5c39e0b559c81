import type { ChatEvent } from "../organization/events/model.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { hasChannelPermission } from "../organization/channels/model/access.ts";
import { getReadableChannel } from "../channels/store.ts";
import { listSubscriberIds } from "../channels/subscriptions/store.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { getVisibleMessage } from "./access.ts";
import { MAX_PARTICIPANTS } from "./model.ts";
import { resolveRecipients, tooManyParticipants } from "./recipient.ts";
import {
  choice,
  described,
  exact,
  int,
  json,
  optional,
  type ParamValues,
  text,
  withDefault,
} from "../organization/params/param.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { parseTopic } from "../channels/topics/model.ts";
import { readSetting } from "../people/user_settings/store.ts";
import { type Caller, toApiEmail } from "../organization/users/model.ts";
import { readUser } from "../organization/users/store.ts";

/** Maximum number of subscribers of a channel in which typing notifications are sent. */
const MAX_SUBSCRIBERS = 100;

/** Settings that turn a user's own typing notifications off. */
const PRIVACY_SETTINGS = {
  "direct messages": "send_private_typing_notifications",
  "channel messages": "send_stream_typing_notifications",
} as const;

/**
 * Refuses a user who has turned off typing notifications for a type of message.
 * @throws AppError BAD_REQUEST.
 */
async function requireTypingNotifications(
  app: ChatApp,
  { realm, actingUser }: Caller,
  messageType: keyof typeof PRIVACY_SETTINGS,
): Promise<void> {
  const owner = { realmId: realm.id, userId: actingUser.id };
  if (await readSetting(app, owner, PRIVACY_SETTINGS[messageType]) !== false) return;
  throw new AppError("BAD_REQUEST", `User has disabled typing notifications for ${messageType}`);
}

/** Sends an event to the active users among the given ones who want to receive typing notifications. */
async function notifyInterested(
  app: ChatApp,
  { id: realmId }: Caller["realm"],
  { userIds, event }: { userIds: readonly number[]; event: ChatEvent },
): Promise<void> {
  const interested = await Promise.all(userIds.map(async (id) => {
    const user = await readUser(app, realmId, id);
    if (user === null || !user.is_active) return [];
    return await readSetting(app, { realmId, userId: id }, "receives_typing_notifications") === false
      ? []
      : [id];
  }));
  const audience = interested.flat();
  if (audience.length === 0) return;
  await transact(
    app.store,
    (tx) => Promise.resolve(sendEvent(tx, { realmId, now: app.clock.now() }, { event, audience })),
  );
}

/**
 * Notifies the recipients of a message, except those who turned it off, that the user starts or stops typing.
 * Stores no record.
 * @throws AppError REQUEST_VARIABLE_MISSING, or BAD_REQUEST for an invalid recipient or disabled typing
 * notifications.
 */
export async function setTypingStatus(
  app: ChatApp,
  caller: Caller,
  params: ParamValues<typeof typingParams>,
): Promise<void> {
  const isDirect = params.type === "direct";
  const { details, userIds } = isDirect
    ? await resolveConversation(app, caller, params.to)
    : await resolveTopic(app, caller, params);
  const { realm, actingUser } = caller;
  const event = {
    type: "typing",
    op: params.op,
    message_type: isDirect ? "direct" : "stream",
    sender: { user_id: actingUser.id, email: toApiEmail(app, realm, actingUser) },
    ...details,
  };
  await notifyInterested(app, realm, { userIds, event });
}

/** The recipient of a message: members of the event that describe it, and the users who receive the event. */
interface TypingRecipient {
  readonly details: Readonly<Record<string, unknown>>;
  readonly userIds: readonly number[];
}

async function resolveConversation(
  app: ChatApp,
  caller: Caller,
  to: number | readonly number[] | undefined,
): Promise<TypingRecipient> {
  if (to === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'to' argument", { extra: { var_name: "to" } });
  }
  await requireTypingNotifications(app, caller, "direct messages");
  const recipientIds = [to].flat();
  if (recipientIds.length === 0) throw new AppError("BAD_REQUEST", "Empty 'to' list");
  const ids = [...new Set([caller.actingUser.id, ...recipientIds])].sort((a, b) => a - b);
  if (ids.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  const users = await resolveRecipients(app, caller, ids);
  const inactive = users.find(({ is_active }) => !is_active);
  if (inactive !== undefined) {
    throw new AppError("BAD_REQUEST", `'${inactive.full_name}' is no longer using Sotto.`);
  }
  const recipients = users.map((user) => ({ user_id: user.id, email: toApiEmail(app, caller.realm, user) }));
  return { details: { recipients }, userIds: ids };
}

async function resolveTopic(
  app: ChatApp,
  caller: Caller,
  { to, stream_id, topic }: Pick<ParamValues<typeof typingParams>, "to" | "stream_id" | "topic">,
): Promise<TypingRecipient> {
  const [channelId = stream_id, ...others] = [to ?? []].flat();
  if (others.length > 0) throw new AppError("BAD_REQUEST", "Expected exactly one channel");
  if (channelId === undefined) throw missing("stream_id");
  if (topic === undefined) throw missing("topic");
  await requireTypingNotifications(app, caller, "channel messages");
  const { realm, actingUser: user } = caller;
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const { channel } = await getReadableChannel(reads, permissions, { channelId, user });
  if (!hasChannelPermission(permissions, { channel, user }, "can_send_message_group")) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${channel.name}'`);
  }
  const userIds = await listNotifiedSubscribers(app, realm.id, channel.id);
  return { details: { stream_id: channel.id, topic: parseTopic(topic) }, userIds };
}

function missing(name: string): AppError {
  return new AppError("BAD_REQUEST", `Missing '${name}' argument`);
}

/**
 * Notifies the recipients of the user's own message, except those who turned it off, that the user starts or
 * stops editing it. Stores no record.
 * @throws AppError BAD_REQUEST for a message that the user cannot see or did not send, and when the user turned
 * off typing notifications.
 */
export async function setEditTypingStatus(
  app: ChatApp,
  caller: Caller,
  { messageId, op }: { messageId: number; op: "start" | "stop" },
): Promise<void> {
  const { realm, actingUser: user } = caller;
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const { message, channel, conversation } = await getVisibleMessage(app, permissions, {
    id: messageId,
    user,
  });
  if (message.sender_id !== user.id) {
    throw new AppError("BAD_REQUEST", "You don't have permission to edit this message");
  }
  await requireTypingNotifications(app, caller, channel === null ? "direct messages" : "channel messages");
  const userIds = channel === null
    ? conversation?.user_ids ?? []
    : await listNotifiedSubscribers(app, realm.id, channel.id);
  const recipient = channel === null
    ? { type: "direct", user_ids: userIds }
    : { type: "channel", channel_id: channel.id, topic: message.topic };
  const event = { type: "typing_edit_message", op, sender_id: user.id, message_id: messageId, recipient };
  await notifyInterested(app, realm, { userIds, event });
}

/** Lists the subscribers of a channel; none of a large one, in which no typing notifications are sent. */
async function listNotifiedSubscribers(
  app: ChatApp,
  realmId: number,
  channelId: number,
): Promise<readonly number[]> {
  const ids = await listSubscriberIds(app, realmId, channelId);
  return ids.length > MAX_SUBSCRIBERS ? [] : ids;
}

/** Parameters of setting the typing status. */
export const typingParams = {
  type: described(
    withDefault(choice(["direct", "stream", "channel"]), "direct"),
    "`direct` for a direct message, `channel` or `stream` for a topic of a channel.",
  ),
  op: described(choice(["start", "stop"]), "Whether you start or stop typing."),
  to: described(
    optional(json(z.union([z.int(), z.array(z.int()).max(1000)]))),
    "The ids of the users; for a channel, its id.",
  ),
  stream_id: described(optional(int()), "The id of the channel."),
  topic: described(optional(exact(text())), "The topic; required for channels."),
};

/** Parameters of setting the typing status while a message is edited. */
export const editTypingParams = { op: typingParams.op };
