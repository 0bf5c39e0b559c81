import { findUser, permissionsOf } from "../organization/permissions/store.ts";
import type { Caller, UserRecord } from "../organization/users/model.ts";
import { chunk } from "es-toolkit/array/chunk";
import { IntervalSet } from "@/lib/core/interval_set.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { ChatApp } from "../organization/app.ts";
import { foldTopic } from "../channels/topics/model.ts";
import { getReadableChannel } from "../channels/store.ts";
import { channelKeys } from "../organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { listSubscriberIds, readMessageHead } from "../channels/subscriptions/store.ts";
import { canAccessUser, type PermissionContext } from "../organization/permissions/model/membership.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { isReadByMuting, type MutedUsersRecord, readMutedUsers } from "../people/muted_users.ts";
import { readSetting } from "../people/user_settings/store.ts";
import { messageKeys, type MessageRecord, type VisibleMessage, wasReceived } from "./model.ts";
import { enqueueReadRetraction } from "./push_jobs.ts";
import { isMarkedRead, updateThreadSet, writeReadMarks } from "./read_marks.ts";
import { parseIdSet, updateIdSet } from "./store.ts";
import { getVisibleMessage } from "./access.ts";

/** A channel, or one of its topics by folded name. */
interface ReadScope {
  readonly channelId: number;
  readonly bucket?: string;
}

/** Number of messages that one commit marks. */
const MESSAGES_PER_COMMIT = 400;
/**
 * Maximum number of moved-out messages that stay unread, newest first, so that the id set fits into one
 * record.
 */
const MAX_MOVED_OUT = 5000;

/**
 * Marks messages in a scope as read that were first sent elsewhere, as their read state is stored under their
 * original topic. Very many messages take several commits.
 */
async function markMovedMessagesRead(
  app: ChatApp,
  { realmId, user }: { realmId: number; user: UserRecord },
  scope: ReadScope,
): Promise<void> {
  const prefix = toScopePrefix(messageKeys.movedInto(realmId, { bucket: "", ...scope }), scope);
  let ids: number[] = [];
  const mark = async () => {
    const read = await Promise.all(
      ids.map((id) => app.reads.read<MessageRecord>(messageKeys.message(realmId, id))),
    );
    ids = [];
    const messages = read.filter((message) => message !== null).filter((message) =>
      scope.bucket !== undefined || message.read_channel_id !== undefined
    );
    if (messages.length === 0) return;
    await transact(app.store, async (tx) => {
      await writeReadMarks(tx, { realmId, userId: user.id }, { messages, isRead: true });
      enqueueReadRetraction(tx, { realmId, user, now: app.clock.now() });
    });
  };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, { batchSize: MESSAGES_PER_COMMIT })) {
    if (ids.push(Number(toEntry(entry).key.at(-1))) === MESSAGES_PER_COMMIT) await mark();
  }
  await mark();
}

/** Returns all ids up to a message, except those that were first sent to the scope and are in another one now. */
async function computeReadIds(
  app: ChatApp,
  realmId: number,
  { head, scope }: { head: number; scope: ReadScope },
): Promise<IntervalSet> {
  const prefix = toScopePrefix(messageKeys.movedOut(realmId, { bucket: "", ...scope }), scope);
  const ids: number[] = [];
  const options = { reverse: true, limit: MAX_MOVED_OUT, batchSize: MESSAGES_PER_COMMIT };
  for await (const entry of app.store.kv.list({ prefix: [...prefix] }, options)) {
    const { key, value } = toEntry<number>(entry);
    if (scope.bucket !== undefined || value !== scope.channelId) ids.push(Number(key.at(-1)));
  }
  return IntervalSet.of(0, head).subtract(IntervalSet.from(ids));
}

/** Drops the topic from the key for a whole channel. */
function toScopePrefix(key: Key, { bucket }: ReadScope): Key {
  return bucket === undefined ? key.slice(0, -1) : key;
}

/**
 * Marks a channel or one of its topics as read, with one small write unless many messages were moved into it.
 * @throws AppError BAD_REQUEST for an inaccessible channel and for a topic of which the user received no
 * message.
 */
export async function markChannelRead(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  { channelId, topic }: { channelId: number; topic?: string },
): Promise<void> {
  const owner = { realmId: realm.id, userId: user.id };
  const bucket = topic === undefined ? undefined : foldTopic(topic);
  const scope = bucket === undefined ? { channelId } : { channelId, bucket };
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    await getReadableChannel(tx, permissions, { channelId, user });
    if (topic !== undefined) {
      await requireReceivedTopic(app, realm.id, { userId: user.id, channelId, topic });
    }
    const head = await readMessageHead(tx);
    const key = bucket === undefined
      ? messageKeys.readChannel(realm.id, user.id, channelId)
      : messageKeys.readInTopic(realm.id, user.id, { channelId, bucket });
    const read = await computeReadIds(app, realm.id, { head, scope });
    await updateThreadSet(tx, owner, { key, change: (set) => set.union(read) });
    await removeUnreadMarks(
      tx,
      owner,
      (message) =>
        message.channel_id === channelId && (bucket === undefined || foldTopic(message.topic) === bucket),
    );
    sendReadEvent(tx, permissions, {
      user,
      up_to: head,
      channel_id: channelId,
      ...(topic === undefined ? {} : { topic }),
    });
  });
  await markMovedMessagesRead(app, { realmId: realm.id, user }, scope);
}

export async function markAllRead(app: ChatApp, { realm, actingUser: user }: Caller): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
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
  for (let unread = set; unread.first !== undefined; unread = unread.remove(unread.first)) {
    const id = unread.first;
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

/** Number of receivers whose read state is looked up; about ten reads of the store each. */
const MAX_RECEIVERS = 5000;
/** Receivers that are looked up in parallel. */
const PARALLEL = 100;

/**
 * Lists the ids of the users who have read a message, ascending, without its sender. Users who turned off read
 * receipts, those who muted the viewer or are muted by them, and those whom the viewer cannot access are left
 * out.
 * @throws AppError BAD_REQUEST for a message that the viewer cannot see, and when the organization turned off
 * read receipts.
 */
export async function listReaders(
  app: ChatApp,
  { realm, actingUser: viewer }: Caller,
  messageId: number,
): Promise<readonly number[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const visible = await getVisibleMessage(app, permissions, { id: messageId, user: viewer });
  if (!permissions.realm.settings.enable_read_receipts) {
    throw new AppError("BAD_REQUEST", "Read receipts are disabled in this organization.");
  }
  const mutedByViewer = await readMutedUsers(app, realm.id, viewer.id);
  const { message, channel, conversation } = visible;
  const receivers = channel === null
    ? conversation?.user_ids ?? []
    : await listSubscriberIds(app, realm.id, channel.id);
  const receiverIds = receivers.filter((id) => id !== message.sender_id && !isMuted(mutedByViewer, id));
  const readers: number[] = [];
  for (const ids of chunk(receiverIds.slice(0, MAX_RECEIVERS), PARALLEL)) {
    const isReader = await Promise.all(
      ids.map((id) => isVisibleReader(app, permissions, { visible, viewer, id })),
    );
    readers.push(...ids.filter((_, at) => isReader[at]));
    await yieldToEventLoop();
  }
  return readers;
}

/** Returns whether a user has read a message and lets the viewer know. */
async function isVisibleReader(
  app: ChatApp,
  permissions: PermissionContext,
  { visible: { message, channel }, viewer, id }: { visible: VisibleMessage; viewer: UserRecord; id: number },
): Promise<boolean> {
  const { id: realmId } = permissions.realm;
  const user = findUser(permissions, id);
  if (user === null || !user.is_active || !canAccessUser(permissions, viewer, user)) return false;
  const [subscription, muted] = await Promise.all([
    channel === null
      ? null
      : app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, id, channel.id)),
    readMutedUsers(app, realmId, id),
  ]);
  if (channel !== null && !wasReceived(subscription, message.id)) return false;
  // A message that counts as read because its sender is muted would reveal the muting.
  if (isMuted(muted, viewer.id) || isReadByMuting(muted, message)) return false;
  if (await readSetting(app, { realmId, userId: id }, "send_read_receipts") !== true) return false;
  return await isMarkedRead(app, realmId, { message, userId: id });
}

function isMuted({ muted }: MutedUsersRecord, id: number): boolean {
  return muted.some(([userId]) => userId === id);
}
