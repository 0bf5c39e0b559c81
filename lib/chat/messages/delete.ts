import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { changeClaims, tellOfClaims } from "../uploads/claims.ts";
import { accessForChange, type Changeable } from "./edit_access.ts";
import type { EditTarget } from "./edit.ts";
import { requireMayDelete } from "./edit_rules.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import { holdTopic, leaveForeign, leaveTopic } from "./move_topic.ts";
import { hasDevices, noteDeleted } from "./push_job.ts";
import { reactionsKey } from "./reactions.ts";
import { searchWords } from "./search_words.ts";

/** More pieces than any rendered text has. */
const MAX_PIECES = 12;

/**
 * Deletes a message, with its history and all by which it was found.
 * @throws AppError BAD_REQUEST.
 */
export async function deleteMessage(app: ChatApp, { realm, editor: user, id }: EditTarget): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const found = await accessForChange(tx, permissions, { id, user });
    const channel = found.place.kind === "channel" ? found.place.channel : null;
    requireMayDelete(permissions, { message: found.message, channel, user });
    await removeMessage(app, tx, { permissions, found });
  }, `message ${realm.id} ${id}`);
}

/** Removes a message with its history and all by which it was found, and tells those who had it. */
export async function removeMessage(
  app: ChatApp,
  tx: Tx,
  { permissions, found }: { permissions: PermissionContext; found: Changeable },
): Promise<void> {
  const { realm, now } = permissions;
  const { id, upload_ids: before = [] } = found.message;
  await tellOfClaims(app, tx, { realmId: realm.id, messageId: id, before, after: [], now });
  await remove(tx, permissions, found);
  tell(tx, permissions, found);
  if (await hasDevices(app, realm.id)) noteDeleted(tx, { realmId: realm.id, messageId: id, now });
}

async function remove(
  tx: Tx,
  { realm, now }: PermissionContext,
  { message, place }: Changeable,
): Promise<void> {
  const { id } = message;
  const before = message.upload_ids ?? [];
  changeClaims(tx, { realmId: realm.id, messageId: id, before, after: [], now });
  const from = (key: Deno.KvKey) => tx.delete([...key, id]);
  tx.delete(messageKeys.message(realm.id, id));
  tx.delete(messageKeys.history(realm.id, id));
  tx.delete(reactionsKey(realm.id, id));
  removeRendered(tx, realm.id, message);
  from(messageKeys.sentBy(realm.id, message.sender_id));
  for (const word of searchWords(message.content)) from(messageKeys.word(realm.id, word));
  for (const userId of message.mentions.user_ids) from(messageKeys.mentioned(realm.id, userId));
  if (place.kind === "direct") {
    from(messageKeys.ofConversation(realm.id, place.conversation.id));
    for (const userId of place.conversation.user_ids) from(messageKeys.directOf(realm.id, userId));
    return;
  }
  const topic = { channelId: place.channel.id, topic: message.topic };
  await holdTopic(tx, realm.id, topic);
  await leaveTopic(tx, realm.id, { place: topic, count: 1 });
  leaveForeign(tx, realm.id, message);
  from(messageKeys.ofChannel(realm.id, topic.channelId));
  from(messageKeys.ofTopic(realm.id, topic.channelId, topic.topic));
}

function removeRendered(tx: Tx, realmId: number, { id, rendered }: MessageRecord): void {
  if (rendered !== null) return;
  for (let piece = 0; piece < MAX_PIECES; piece++) {
    tx.delete([...messageKeys.rendered(realmId, id), piece]);
  }
}

function tell(tx: Tx, { realm, now }: PermissionContext, { message, place }: Changeable): void {
  const event = { type: "delete_message", message_ids: [message.id] };
  const at = { realmId: realm.id, now };
  if (place.kind === "direct") {
    sendEvent(tx, at, {
      event: { ...event, message_type: "private" },
      audience: place.conversation.user_ids,
    });
    return;
  }
  const { id } = place.channel;
  sendEvent(tx, at, {
    event: { ...event, message_type: "stream", stream_id: id, topic: message.topic },
    audience: { channel: id },
  });
}
