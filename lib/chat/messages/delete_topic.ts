import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { hasChannelPermission, invalidChannel } from "../channels/model/access.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { isSameTopic, normalizeTopic, type TopicLocation } from "../topics/model.ts";
import { type Caller, isAdmin } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { removeMessage } from "./delete_message.ts";
import { readChannelLocation } from "./edit/access.ts";
import type { ChannelLocation } from "./edit/model.ts";
import { messageKeys, type MessageRecord } from "./model.ts";

/** Number of messages that one request deletes, each in a commit of its own. */
const MAX_DELETED = 200;

/**
 * Deletes the messages of a topic that the caller can see, the newest first, one commit for each. Returns whether
 * none is left; otherwise the same request continues.
 * @throws AppError BAD_REQUEST for a channel that the caller cannot read, and without permission to delete the
 * messages of others in it.
 */
export async function deleteTopic(
  app: ChatApp,
  caller: Caller,
  { channelId, topic: sent }: TopicLocation,
): Promise<{ complete: boolean }> {
  const { realm } = caller;
  const topic = { channelId, topic: normalizeTopic(sent) };
  const { isVisible } = await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    return await getModeratedChannel(tx, permissions, { caller, topic });
  });
  const prefix = [...messageKeys.ofTopic(realm.id, topic.channelId, topic.topic)];
  let count = 0;
  for await (const entry of app.store.kv.list({ prefix }, { reverse: true, batchSize: 100 })) {
    const id = Number(toEntry(entry).key.at(-1));
    if (!isVisible(id)) continue;
    if (++count > MAX_DELETED) return { complete: false };
    await deleteFromTopic(app, caller, { topic, id });
  }
  return { complete: true };
}

/** Deletes a message unless it was deleted or moved meanwhile, or the caller cannot see it. */
async function deleteFromTopic(
  app: ChatApp,
  caller: Caller,
  { topic, id }: { topic: TopicLocation; id: number },
): Promise<void> {
  const { id: realmId } = caller.realm;
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realmId);
    const location = await getModeratedChannel(tx, permissions, { caller, topic });
    const message = await tx.get<MessageRecord>(messageKeys.message(realmId, id));
    if (message === null || message.channel_id === null || !location.isVisible(id)) return;
    if (!isSameTopic({ channelId: message.channel_id, topic: message.topic }, topic)) return;
    await removeMessage(app, tx, { permissions, editable: { message, location } });
  }, `message ${realmId} ${id}`);
  app.wordIndexer.contentChanged(realmId);
}

/** Returns the channel of a topic if the caller can delete the messages of others in it. */
async function getModeratedChannel(
  tx: Tx,
  permissions: PermissionContext,
  { caller, topic: { channelId } }: { caller: Caller; topic: TopicLocation },
): Promise<ChannelLocation> {
  const user = await getActingUser(tx, permissions.realm.id, caller.actingUser);
  const location = await readChannelLocation(tx, permissions, { channelId, user });
  if (location === null) throw invalidChannel();
  const { channel } = location;
  if (isAdmin(user) || hasChannelPermission(permissions, { channel, user }, "can_delete_any_message_group")) {
    return location;
  }
  throw new AppError("BAD_REQUEST", "You don't have permission to delete messages in this channel");
}
