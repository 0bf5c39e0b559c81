import { act, getActingUser } from "@/lib/chat/organization/users/store.ts";
import type { Sweep } from "@/lib/core/worker.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { sendAttachmentUpdateEvents, updateReferences } from "./files/store.ts";
import { deleteSubmessages } from "./submessages/model.ts";
import { hasChannelPermission, invalidChannel } from "../organization/channels/model/access.ts";
import { isSameTopic, normalizeTopic, type TopicLocation } from "../channels/topics/model.ts";
import { type Caller, isAdmin } from "../organization/users/model.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";
import { listRealms, type RealmRecord } from "../organization/organizations/model.ts";
import {
  type ChannelLocation,
  type EditableMessage,
  getEditableMessage,
  readChannelLocation,
  requireCanDelete,
} from "./edit_rules.ts";
import { sendDeleteEvent } from "./events.ts";
import { messageKeys, type MessageRecord } from "./model.ts";
import { decrementTopicCount, deleteMoveMarkers, lockTopic } from "./move_messages.ts";
import { hasPushDevices, pushJobKeys } from "./push_jobs.ts";
import { countMessageChange, deleteHtmlPieces } from "./store.ts";
import { reactionsKey } from "./reactions.ts";
import { facetKey, listFacets } from "./narrow/facets.ts";
import { listMessageWords, recordWordChange } from "./word_index/store.ts";

/**
 * Deletes a message with its history, reactions and index entries.
 * @throws AppError BAD_REQUEST.
 */
export async function deleteMessage(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { realm } = caller;
  await act(app, caller, async ({ tx, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const editable = await getEditableMessage(tx, permissions, { id, user });
    const channel = editable.location.kind === "channel" ? editable.location.channel : null;
    requireCanDelete(permissions, { message: editable.message, channel, user });
    await removeMessage(app, tx, { permissions, editable });
  }, `message ${realm.id} ${id}`);
  app.wordIndexer.contentChanged(realm.id);
}

/** Removes a message in a transaction and sends the events; permissions must have been checked. */
export async function removeMessage(
  app: ChatApp,
  tx: Tx,
  { permissions, editable }: { permissions: PermissionContext; editable: EditableMessage },
): Promise<void> {
  const { realm, now } = permissions;
  const { id, upload_ids: before = [] } = editable.message;
  const references = { realmId: realm.id, messageId: id, before, after: [], now };
  await sendAttachmentUpdateEvents(app, tx, references);
  updateReferences(tx, references);
  await deleteKeys(tx, realm.id, editable);
  sendDeleteEvent(tx, permissions, editable);
  if (await hasPushDevices(app, realm.id)) tx.set(pushJobKeys.deletion(now, realm.id, id), true);
}

async function deleteKeys(tx: Tx, realmId: number, { message, location }: EditableMessage): Promise<void> {
  const { id } = message;
  const deleteFrom = (key: Deno.KvKey) => tx.delete([...key, id]);
  tx.delete(messageKeys.message(realmId, id));
  countMessageChange(tx, realmId);
  tx.delete(messageKeys.history(realmId, id));
  tx.delete(reactionsKey(realmId, id));
  await deleteSubmessages(tx, realmId, message);
  if (message.rendered === null) deleteHtmlPieces(tx, messageKeys.rendered(realmId, id), 0);
  deleteFrom(messageKeys.sentBy(realmId, message.sender_id));
  recordWordChange(tx, realmId, { ids: [id], words: listMessageWords(message) });
  for (const facet of listFacets(message)) deleteFrom(facetKey(realmId, facet));
  for (const userId of message.mentions.user_ids) deleteFrom(messageKeys.mentioned(realmId, userId));
  if (location.kind === "direct") {
    deleteFrom(messageKeys.ofConversation(realmId, location.conversation.id));
    for (const userId of location.conversation.user_ids) deleteFrom(messageKeys.directOf(realmId, userId));
    return;
  }
  const topic = { channelId: location.channel.id, topic: message.topic };
  await lockTopic(tx, realmId, topic);
  await decrementTopicCount(tx, realmId, { location: topic, count: 1 });
  deleteMoveMarkers(tx, realmId, message);
  deleteFrom(messageKeys.ofChannel(realmId, topic.channelId));
  deleteFrom(messageKeys.ofTopic(realmId, topic.channelId, topic.topic));
}

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
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
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
    const permissions = permissionsOf(await tx.organization(realmId), app.clock);
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

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes messages beyond their channel's retention and returns their number; safe on several servers of one store. */
export async function deleteExpiredMessages(app: ChatApp, sweep: Sweep): Promise<number> {
  let removed = 0;
  for (const realm of await listRealms(app)) {
    const prefix = [...channelKeys.channels(realm.id)];
    for await (const entry of app.store.kv.list({ prefix }, { batchSize: 100 })) {
      removed += await sweepChannel(app, realm, { channel: toEntry<ChannelRecord>(entry).value, sweep });
    }
  }
  return removed;
}

/** Sweeps oldest first; ids ascend with the send time, so the first recent message ends the sweep. */
async function sweepChannel(
  app: ChatApp,
  realm: RealmRecord,
  { channel, sweep }: { channel: ChannelRecord; sweep: Sweep },
): Promise<number> {
  const { message_retention_days: days } = channel;
  if (days === null || days <= 0) return 0;
  const before = app.clock.now() - days * DAY_MS;
  let removed = 0;
  const prefix = [...messageKeys.ofChannel(realm.id, channel.id)];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: 100 })) {
    const id = key.at(-1);
    if (sweep.isStopped() || typeof id !== "number") break;
    // A failure must not block later messages; the next sweep retries it.
    const outcome = await expireMessage(app, realm, { id, channelId: channel.id, before }).catch((error) => {
      sweep.report(error);
      return "failed";
    });
    if (outcome === false) break;
    if (outcome === true) removed++;
  }
  return removed;
}

/**
 * Removes a message that is too old; returns false when it is recent or the channel now keeps messages
 * longer.
 */
async function expireMessage(
  app: ChatApp,
  realm: RealmRecord,
  { id, channelId, before }: { id: number; channelId: number; before: number },
): Promise<boolean> {
  const isRemoved = await transact(app.store, async (tx) => {
    const message = await tx.get<MessageRecord>(messageKeys.message(realm.id, id));
    const channel = await tx.get<ChannelRecord>(channelKeys.channel(realm.id, channelId));
    // The message may have been removed or moved since the listing.
    if (message === null || message.channel_id !== channelId) return true;
    if (channel === null || message.sent_at >= before || (channel.message_retention_days ?? 0) <= 0) {
      return false;
    }
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const editable = { message, location: { kind: "channel", channel, isVisible: () => true } } as const;
    await removeMessage(app, tx, { permissions, editable });
    return true;
  }, `message ${realm.id} ${id}`);
  app.wordIndexer.contentChanged(realm.id);
  return isRemoved;
}
