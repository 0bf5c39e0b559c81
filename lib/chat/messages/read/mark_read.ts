import { foldTopic } from "@/lib/chat/topics/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { getReadableChannel } from "@/lib/chat/channels/store.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { readMessageHead } from "@/lib/chat/channels/subscriptions/store.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { messageKeys, type MessageReader, type MessageRecord } from "../model.ts";
import { computeReadIds, markMovedMessagesRead } from "./mark_moved_read.ts";
import { enqueueReadRetraction } from "../push_jobs.ts";
import { parseIdSet, updateIdSet } from "./store/id_sets.ts";
import { updateThreadSet } from "./store/thread_sets.ts";
import { sendEvent } from "@/lib/chat/events/send_events.ts";

/**
 * Marks a topic as read, with one small write unless many messages were moved into it.
 * @throws AppError BAD_REQUEST for an inaccessible channel and for a topic of which the user received no
 * message.
 */
export async function markTopicRead(
  app: ChatApp,
  { realm, user }: MessageReader,
  { channelId, topic }: { channelId: number; topic: string },
): Promise<void> {
  const scope = { channelId, bucket: foldTopic(topic) };
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await getReadableChannel(tx, permissions, { channelId, user });
    await requireReceivedTopic(app, realm.id, { userId: user.id, channelId, topic });
    const head = await readMessageHead(tx);
    const key = messageKeys.readInTopic(realm.id, user.id, scope);
    const read = await computeReadIds(app, realm.id, { head, scope });
    const owner = { realmId: realm.id, userId: user.id };
    await updateThreadSet(tx, owner, { key, change: (set) => set.union(read) });
    await removeUnreadMarks(
      tx,
      owner,
      (message) => message.channel_id === channelId && foldTopic(message.topic) === foldTopic(topic),
    );
    sendReadEvent(tx, permissions, { user, up_to: head, channel_id: channelId, topic });
  });
  await markMovedMessagesRead(app, { realmId: realm.id, user }, scope);
}

/**
 * Marks a channel as read.
 * @throws AppError BAD_REQUEST for an inaccessible channel.
 */
export async function markChannelRead(
  app: ChatApp,
  { realm, user }: MessageReader,
  channelId: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await getReadableChannel(tx, permissions, { channelId, user });
    const head = await readMessageHead(tx);
    const read = await computeReadIds(app, realm.id, { head, scope: { channelId } });
    const owner = { realmId: realm.id, userId: user.id };
    const key = messageKeys.readChannel(realm.id, user.id, channelId);
    await updateThreadSet(tx, owner, { key, change: (set) => set.union(read) });
    await removeUnreadMarks(
      tx,
      owner,
      ({ channel_id }) => channel_id === channelId,
    );
    sendReadEvent(tx, permissions, { user, up_to: head, channel_id: channelId });
  });
  await markMovedMessagesRead(app, { realmId: realm.id, user }, { channelId });
}

/** Marks all messages as read. */
export async function markAllRead(app: ChatApp, { realm, user }: MessageReader): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const head = await readMessageHead(tx);
    tx.set(messageKeys.readAll(realm.id, user.id), head);
    tx.delete(messageKeys.unread(realm.id, user.id));
    sendReadEvent(tx, permissions, { user, up_to: head });
  });
}

/** Requires that the user received a message of the topic; general chat exists in every channel. */
async function requireReceivedTopic(
  app: ChatApp,
  realmId: number,
  { userId, channelId, topic }: { userId: number; channelId: number; topic: string },
): Promise<void> {
  if (topic === "") return;
  const key = channelKeys.subscription(realmId, userId, channelId);
  const subscription = await app.reads.read<SubscriptionRecord>(key);
  const ofTopic = messageKeys.ofTopic(realmId, channelId, topic);
  // The newest subscription period nearly always holds a message.
  for (const { from, to } of subscription?.periods.toReversed() ?? []) {
    const range = { start: [...ofTopic, from], end: [...ofTopic, (to ?? Number.MAX_SAFE_INTEGER - 1) + 1] };
    for await (const _ of app.store.kv.list(range, { limit: 1 })) return;
  }
  throw new AppError("BAD_REQUEST", `No such topic '${topic}'`);
}

/** Removes matching messages from the set that the user marked as unread. */
async function removeUnreadMarks(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  matches: (message: MessageRecord) => boolean,
): Promise<void> {
  const key = messageKeys.unread(realmId, userId);
  let set = parseIdSet(await tx.get<Uint8Array>(key));
  if (set.isEmpty) return;
  for (let rest = set; rest.first !== undefined; rest = rest.remove(rest.first)) {
    const id = rest.first;
    const message = await tx.peek<MessageRecord>(messageKeys.message(realmId, id));
    if (message === null || matches(message)) set = set.remove(id);
  }
  await updateIdSet(tx, key, () => set);
}

/** Sends the event of read messages. Delivery resolves the ids for receivers, as there may be very many. */
function sendReadEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { user, ...scope }: { user: UserRecord; up_to: number; channel_id?: number; topic?: string },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "update_message_flags", op: "add", flag: "read", ...scope },
    audience: [user.id],
  });
  enqueueReadRetraction(tx, { realmId: realm.id, user, now });
}
