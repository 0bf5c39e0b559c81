import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { hasChannelPermission } from "../channels/model/access.ts";
import { getReadableChannel } from "../channels/store.ts";
import { listSubscriberIds } from "../channels/subscriptions/store.ts";
import { sendEvent } from "../events/send_events.ts";
import { MAX_PARTICIPANTS } from "../messages/model.ts";
import { resolveRecipients, tooManyParticipants } from "../messages/recipient.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { parseTopic } from "../topics/model.ts";
import { toApiEmail, type UserRecord } from "../users/model.ts";
import type { typingParams } from "./api.ts";
import {
  listInterestedUsers,
  MAX_SUBSCRIBERS,
  requireTypingNotifications,
  type TypingUser,
} from "./audience.ts";

/**
 * Notifies the recipients of a message, except those who turned it off, that the user starts or stops typing.
 * Stores no record.
 * @throws AppError REQUEST_VARIABLE_MISSING, or BAD_REQUEST for an invalid recipient or disabled typing
 * notifications.
 */
export async function setTypingStatus(
  app: ChatApp,
  sender: TypingUser,
  params: ParamValues<typeof typingParams>,
): Promise<void> {
  const isDirect = params.type === "direct";
  const { details, userIds } = isDirect
    ? await resolveConversation(app, sender, params.to)
    : await resolveTopic(app, sender, params);
  const { realm, user } = sender;
  const audience = await listInterestedUsers(app, realm, userIds);
  if (audience.length === 0) return;
  const event = {
    type: "typing",
    op: params.op,
    message_type: isDirect ? "direct" : "stream",
    sender: { user_id: user.id, email: toApiEmail(app, realm, user) },
    ...details,
  };
  await transact(
    app.store,
    (tx) => Promise.resolve(sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience })),
  );
}

/** The recipient of a message: members of the event that describe it, and the users who receive the event. */
interface TypingRecipient {
  readonly details: Readonly<Record<string, unknown>>;
  readonly userIds: readonly number[];
}

async function resolveConversation(
  app: ChatApp,
  { realm, user }: TypingUser,
  to: number | readonly number[] | undefined,
): Promise<TypingRecipient> {
  if (to === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'to' argument", { extra: { var_name: "to" } });
  }
  await requireTypingNotifications(app, { realm, user }, "direct messages");
  const recipientIds = [to].flat();
  if (recipientIds.length === 0) throw new AppError("BAD_REQUEST", "Empty 'to' list");
  const ids = [...new Set([user.id, ...recipientIds])].sort((one, other) => one - other);
  if (ids.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  const users = await resolveRecipients(app, { realm, actingUser: user }, ids);
  for (const one of users) requireActive(one);
  const recipients = users.map((one) => ({ user_id: one.id, email: toApiEmail(app, realm, one) }));
  return { details: { recipients }, userIds: ids };
}

function requireActive({ is_active, full_name }: UserRecord): void {
  if (!is_active) throw new AppError("BAD_REQUEST", `'${full_name}' is no longer using Sotto.`);
}

async function resolveTopic(
  app: ChatApp,
  { realm, user }: TypingUser,
  { to, stream_id, topic }: Pick<ParamValues<typeof typingParams>, "to" | "stream_id" | "topic">,
): Promise<TypingRecipient> {
  const [channelId = stream_id, ...others] = [to ?? []].flat();
  if (others.length > 0) throw new AppError("BAD_REQUEST", "Expected exactly one channel");
  if (channelId === undefined) throw missing("stream_id");
  if (topic === undefined) throw missing("topic");
  await requireTypingNotifications(app, { realm, user }, "channel messages");
  const permissions = await peekPermissionContext(app, realm);
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const { channel } = await getReadableChannel(reads, permissions, { channelId, user });
  if (!hasChannelPermission(permissions, { channel, user }, "can_send_message_group")) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${channel.name}'`);
  }
  const subscriberIds = await listSubscriberIds(app, realm.id, channel.id);
  return {
    details: { stream_id: channel.id, topic: parseTopic(topic) },
    userIds: subscriberIds.length > MAX_SUBSCRIBERS ? [] : subscriberIds,
  };
}

function missing(name: string): AppError {
  return new AppError("BAD_REQUEST", `Missing '${name}' argument`);
}
