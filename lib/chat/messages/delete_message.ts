import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { sendAttachmentUpdateEvents, updateReferences } from "../files/store.ts";
import { getEditableMessage } from "./edit/access.ts";
import type { EditableMessage, EditRequest } from "./edit/model.ts";
import { requireCanDelete } from "./edit/permissions.ts";
import { sendDeleteEvent } from "./events.ts";
import { messageKeys } from "./model.ts";
import { decrementTopicCount, deleteMoveMarkers, lockTopic } from "./move/store.ts";
import { enqueueDeletionRetraction, hasPushDevices } from "./push_jobs.ts";
import { countMessageChange, deleteHtmlPieces } from "./store.ts";
import { deleteSubmessages } from "../submessages/model.ts";
import { reactionsKey } from "./reactions/model.ts";
import { facetKey, listFacets } from "./narrow/model/facets.ts";
import { listMessageWords } from "./word_index/model.ts";
import { recordWordChange } from "./word_index/store.ts";

/**
 * Deletes a message with its history, reactions and index entries.
 * @throws AppError BAD_REQUEST.
 */
export async function deleteMessage(app: ChatApp, { realm, editor: user, id }: EditRequest): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
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
  await sendAttachmentUpdateEvents(app, tx, { realmId: realm.id, messageId: id, before, after: [], now });
  await deleteKeys(tx, permissions, editable);
  sendDeleteEvent(tx, permissions, editable);
  if (await hasPushDevices(app, realm.id)) {
    enqueueDeletionRetraction(tx, { realmId: realm.id, messageId: id, now });
  }
}

async function deleteKeys(
  tx: Tx,
  { realm, now }: PermissionContext,
  { message, location }: EditableMessage,
): Promise<void> {
  const { id } = message;
  const before = message.upload_ids ?? [];
  updateReferences(tx, { realmId: realm.id, messageId: id, before, after: [], now });
  const deleteFrom = (key: Deno.KvKey) => tx.delete([...key, id]);
  tx.delete(messageKeys.message(realm.id, id));
  countMessageChange(tx, realm.id);
  tx.delete(messageKeys.history(realm.id, id));
  tx.delete(reactionsKey(realm.id, id));
  await deleteSubmessages(tx, realm.id, message);
  if (message.rendered === null) deleteHtmlPieces(tx, messageKeys.rendered(realm.id, id), 0);
  deleteFrom(messageKeys.sentBy(realm.id, message.sender_id));
  recordWordChange(tx, realm.id, { ids: [id], words: listMessageWords(message) });
  for (const facet of listFacets(message)) deleteFrom(facetKey(realm.id, facet));
  for (const userId of message.mentions.user_ids) deleteFrom(messageKeys.mentioned(realm.id, userId));
  if (location.kind === "direct") {
    deleteFrom(messageKeys.ofConversation(realm.id, location.conversation.id));
    for (const userId of location.conversation.user_ids) deleteFrom(messageKeys.directOf(realm.id, userId));
    return;
  }
  const topic = { channelId: location.channel.id, topic: message.topic };
  await lockTopic(tx, realm.id, topic);
  await decrementTopicCount(tx, realm.id, { location: topic, count: 1 });
  deleteMoveMarkers(tx, realm.id, message);
  deleteFrom(messageKeys.ofChannel(realm.id, topic.channelId));
  deleteFrom(messageKeys.ofTopic(realm.id, topic.channelId, topic.topic));
}
