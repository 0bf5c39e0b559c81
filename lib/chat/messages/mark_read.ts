import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel } from "../channels/access.ts";
import { channelKeys, type SubscriptionRecord } from "../channels/channel.ts";
import { messageHead } from "../channels/subscribe.ts";
import { sendEvent } from "../events/emit.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import { foldTopic, messageKeys, type MessageRecord } from "./message.ts";
import { markMovedRead, upTo } from "./move_read.ts";
import { noteRead } from "./push_job.ts";
import { changeSet, toSet } from "./read_state.ts";

/** Who reads, and in which organization. */
export interface Reader {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/**
 * Marks a topic as read: one small write, however many messages it has, unless many were moved into it.
 * @throws AppError BAD_REQUEST for a channel that the reader may not read, and a topic of which he received nothing.
 */
export async function markTopicRead(
  app: ChatApp,
  { realm, user }: Reader,
  { channelId, topic }: { channelId: number; topic: string },
): Promise<void> {
  const place = { channelId, bucket: foldTopic(topic) };
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await accessChannel(tx, permissions, { channelId, user });
    await requireReceived(app, realm.id, { userId: user.id, channelId, topic });
    const head = await messageHead(tx);
    const key = messageKeys.readInTopic(realm.id, user.id, place);
    const read = await upTo(app, realm.id, { head, place });
    await changeSet(tx, key, (set) => set.union(read));
    await forgetUnread(
      tx,
      { realmId: realm.id, userId: user.id },
      (message) => message.channel_id === channelId && foldTopic(message.topic) === foldTopic(topic),
    );
    tell(tx, permissions, { user, up_to: head, channel_id: channelId, topic });
  });
  await markMovedRead(app, { realmId: realm.id, user }, place);
}

/**
 * Marks a channel as read.
 * @throws AppError BAD_REQUEST for a channel that the reader may not read.
 */
export async function markChannelRead(
  app: ChatApp,
  { realm, user }: Reader,
  channelId: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await accessChannel(tx, permissions, { channelId, user });
    const head = await messageHead(tx);
    const read = await upTo(app, realm.id, { head, place: { channelId } });
    await changeSet(tx, messageKeys.readChannel(realm.id, user.id, channelId), (set) => set.union(read));
    await forgetUnread(
      tx,
      { realmId: realm.id, userId: user.id },
      ({ channel_id }) => channel_id === channelId,
    );
    tell(tx, permissions, { user, up_to: head, channel_id: channelId });
  });
  await markMovedRead(app, { realmId: realm.id, user }, { channelId });
}

/** Marks everything as read that there is. */
export async function markAllRead(app: ChatApp, { realm, user }: Reader): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const head = await messageHead(tx);
    tx.set(messageKeys.readAll(realm.id, user.id), head);
    tx.delete(messageKeys.unread(realm.id, user.id));
    tell(tx, permissions, { user, up_to: head });
  });
}

/** A topic without a name needs no message: every channel has it. */
async function requireReceived(
  app: ChatApp,
  realmId: number,
  { userId, channelId, topic }: { userId: number; channelId: number; topic: string },
): Promise<void> {
  if (topic === "") return;
  const key = channelKeys.subscription(realmId, userId, channelId);
  const subscription = await app.reads.read<SubscriptionRecord>(key);
  const ofTopic = messageKeys.ofTopic(realmId, channelId, topic);
  // The newest time of being subscribed nearly always has one.
  for (const { from, to } of subscription?.periods.toReversed() ?? []) {
    const range = { start: [...ofTopic, from], end: [...ofTopic, (to ?? Number.MAX_SAFE_INTEGER - 1) + 1] };
    for await (const _ of app.store.kv.list(range, { limit: 1 })) return;
  }
  throw new AppError("BAD_REQUEST", `No such topic '${topic}'`);
}

/** Takes messages off the list of those that were marked as unread again. */
async function forgetUnread(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  isMeant: (message: MessageRecord) => boolean,
): Promise<void> {
  const key = messageKeys.unread(realmId, userId);
  let set = toSet(await tx.get<Uint8Array>(key));
  if (set.isEmpty) return;
  for (let rest = set; rest.first !== undefined; rest = rest.remove(rest.first)) {
    const id = rest.first;
    const message = await tx.peek<MessageRecord>(messageKeys.message(realmId, id));
    if (message === null || isMeant(message)) set = set.remove(id);
  }
  await changeSet(tx, key, () => set);
}

/** Which messages it is about is worked out for those who are told: there may be very many. */
function tell(
  tx: Tx,
  { realm, now }: PermissionContext,
  { user, ...place }: { user: UserRecord; up_to: number; channel_id?: number; topic?: string },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "update_message_flags", op: "add", flag: "read", ...place },
    audience: [user.id],
  });
  noteRead(tx, { realmId: realm.id, user, now });
}
