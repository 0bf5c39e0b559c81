import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { listSubscriberIds } from "../channels/subscriptions/store.ts";
import { sendEvent } from "../events/send_events.ts";
import { getVisibleMessage } from "../messages/access.ts";
import type { VisibleMessage } from "../messages/model.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import {
  listInterestedUsers,
  MAX_SUBSCRIBERS,
  requireTypingNotifications,
  type TypingUser,
} from "./audience.ts";

/**
 * Notifies the recipients of the user's own message, except those who turned it off, that the user starts or
 * stops editing it. Stores no record.
 * @throws AppError BAD_REQUEST for a message that the user cannot see or did not send, and when the user turned
 * off typing notifications.
 */
export async function setEditTypingStatus(
  app: ChatApp,
  sender: TypingUser,
  { messageId, op }: { messageId: number; op: "start" | "stop" },
): Promise<void> {
  const { realm, user } = sender;
  const permissions = await peekPermissionContext(app, realm);
  const visible = await getVisibleMessage(app, permissions, { id: messageId, user });
  if (visible.message.sender_id !== user.id) {
    throw new AppError("BAD_REQUEST", "You don't have permission to edit this message");
  }
  await requireTypingNotifications(
    app,
    sender,
    visible.channel === null ? "direct messages" : "channel messages",
  );
  const audience = await listInterestedUsers(app, realm, await listRecipientIds(app, realm.id, visible));
  if (audience.length === 0) return;
  const recipient = toRecipient(visible);
  const event = { type: "typing_edit_message", op, sender_id: user.id, message_id: messageId, recipient };
  await transact(
    app.store,
    (tx) => Promise.resolve(sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience })),
  );
}

async function listRecipientIds(
  app: ChatApp,
  realmId: number,
  { channel, conversation }: VisibleMessage,
): Promise<readonly number[]> {
  if (channel === null) return conversation?.user_ids ?? [];
  const ids = await listSubscriberIds(app, realmId, channel.id);
  return ids.length > MAX_SUBSCRIBERS ? [] : ids;
}

function toRecipient({ message, channel, conversation }: VisibleMessage): Readonly<Record<string, unknown>> {
  return channel === null
    ? { type: "direct", user_ids: conversation?.user_ids ?? [] }
    : { type: "channel", channel_id: channel.id, topic: message.topic };
}
