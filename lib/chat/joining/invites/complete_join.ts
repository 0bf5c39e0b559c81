import { postNotice } from "@/lib/chat/messages/notices.ts";
import { silentMention } from "@/lib/chat/organization/rendering/format_markdown.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { defaultChannelIds, readChannelViewer } from "@/lib/chat/channels/store.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import {
  type SubscribableChannel,
  subscribeUsers,
} from "@/lib/chat/channels/subscriptions/subscribe_users.ts";
import { readRealm, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { sendGroupEvent } from "@/lib/chat/organization/user_groups/events.ts";
import { getPermittedGroup, withMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import { putGroup } from "@/lib/chat/organization/user_groups/store.ts";
import { isBot, isGuest, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { inviteKeys, type InviteOffer, type PendingJoinRecord } from "./model.ts";

/** Groups, or else channels, that a new user joins in one commit, as long as it holds their records and events. */
const MAX_PER_COMMIT = 5;

interface Newcomer {
  readonly user: UserRecord;
  readonly inviter: UserRecord;
}

/**
 * Sends a new user the welcome text and, if requested, notifies the inviter, each once: its commit records that it was
 * sent.
 * @throws NoLongerDue when another process sends them.
 */
async function sendWelcomeNotices(
  app: ChatApp,
  key: Key,
  { realm_id, user_id, inviter_id, offer_id, is_welcomed }: PendingJoinRecord,
): Promise<void> {
  const { kv } = app.store;
  const [realm, offer, user] = await Promise.all([
    readRealm(app, realm_id),
    offer_id === null ? null : readRecord<InviteOffer>(kv, inviteKeys.offer(realm_id, offer_id)),
    readUser(app, realm_id, user_id),
  ]);
  if (realm === null || user === null || !user.is_active || (offer === null && offer_id !== null)) return;
  const text = offer?.welcome_message_custom_text ?? realm.settings.welcome_message_custom_text;
  if (text.trim() !== "" && !is_welcomed) {
    await sendOnce(app, realm, { userId: user.id, text }, async (tx) => {
      const record = await tx.get<PendingJoinRecord>(key);
      if (record === null || record.is_welcomed) throw new NoLongerDue();
      tx.set(key, { ...record, is_welcomed: true } satisfies PendingJoinRecord);
    });
  }
  const inviter = offer?.notify_referrer_on_join === true ? await readUser(app, realm.id, inviter_id) : null;
  if (inviter === null || !inviter.is_active || isBot(inviter)) return;
  const notice = `${silentMention(user)} accepted your invitation to join **${realm.name}**.`;
  await sendOnce(app, realm, { userId: inviter.id, text: notice }, async (tx) => {
    if (await tx.get<PendingJoinRecord>(key) === null) throw new NoLongerDue();
    tx.delete(key);
  });
}

/** Sends a notice unless it is refused; one that the store failed is sent later. */
async function sendOnce(
  app: ChatApp,
  realm: RealmRecord,
  { userId, text }: { userId: number; text: string },
  claim: (tx: Tx) => Promise<void>,
): Promise<void> {
  try {
    await postNotice(app, realm, { target: { kind: "direct", userIds: [userId] }, text, claim });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

/** Time that the server which created an account has to complete the join before others may. */
const HEAD_START_MS = 60 * 1000;

/** Writes what a new user has yet to join after this commit, and returns its key. */
export function writePendingJoin(tx: Tx, now: number, record: PendingJoinRecord): Key {
  const key = inviteKeys.joining(now + HEAD_START_MS, record.realm_id, record.user_id);
  tx.set(key, record);
  return key;
}

/**
 * Adds a new user to groups and channels in several commits, each of which also removes them from the pending join,
 * then sends the welcome notices.
 */
export async function completeJoin(app: ChatApp, key: Key): Promise<void> {
  let count = MAX_PER_COMMIT;
  for (let hasMore = true; hasMore;) {
    try {
      hasMore = await joinNext(app, key, { count });
    } catch (error) {
      // One of several may be refused, or all exceed a commit: from here on, each gets a commit of its own.
      if (count === 1) await skipNext(app, key, error);
      count = 1;
    }
  }
  const record = await readRecord<PendingJoinRecord>(app.store.kv, key);
  if (record === null) return;
  try {
    await sendWelcomeNotices(app, key, record);
  } catch (error) {
    if (error instanceof NoLongerDue) return;
    throw error;
  }
  await transact(app.store, (tx) => Promise.resolve(tx.delete(key)));
}

/**
 * Skips a group or channel that cannot be joined: the account exists, so the user must not be kept out. One that the
 * store failed is joined later.
 */
async function skipNext(app: ChatApp, key: Key, error: unknown): Promise<void> {
  if (!isRefusal(error) && !(error instanceof RangeError)) throw error;
  app.report("new member not added to a channel or group", `${key.join(" ")}: ${error}`);
  await joinNext(app, key, { count: 1, isSkipped: true });
}

/** Joins or skips the next groups, or else channels; returns whether there were any. */
function joinNext(
  app: ChatApp,
  key: Key,
  { count, isSkipped = false }: { count: number; isSkipped?: boolean },
): Promise<boolean> {
  return transact(app.store, async (tx) => {
    const record = await tx.get<PendingJoinRecord>(key);
    if (record === null) return false;
    const group_ids = record.group_ids.slice(0, count);
    const channel_ids = group_ids.length > 0 ? [] : record.channel_ids.slice(0, count);
    if (group_ids.length + channel_ids.length === 0) return false;
    if (!isSkipped) await join(app, tx, { ...record, group_ids, channel_ids });
    const remaining = {
      group_ids: record.group_ids.slice(group_ids.length),
      channel_ids: record.channel_ids.slice(channel_ids.length),
    };
    tx.set(key, { ...record, ...remaining } satisfies PendingJoinRecord);
    return true;
  });
}

/** Adds the user of a pending join to its groups and channels. */
async function join(app: ChatApp, tx: Tx, record: PendingJoinRecord): Promise<void> {
  const { realm_id, user_id, inviter_id, group_ids, channel_ids } = record;
  const permissions = permissionsOf(await tx.organization(realm_id), app.clock);
  const newcomer = {
    user: await getUser(tx, realm_id, user_id),
    inviter: await getUser(tx, realm_id, inviter_id),
  };
  // Guests join only what an invitation names.
  const isLeftOut = record.offer_id === null && isGuest(newcomer.user);
  if (!newcomer.user.is_active || isLeftOut) return;
  joinGroups(tx, permissions, { newcomer, groupIds: group_ids });
  await joinChannels(app, tx, { permissions, newcomer, channelIds: channel_ids });
}

/**
 * Adds a new user to groups and sends the events. Skips groups that are deactivated, full, or that the inviter may no
 * longer add members to.
 */
function joinGroups(
  tx: Tx,
  permissions: PermissionContext,
  { newcomer, groupIds }: { newcomer: Newcomer; groupIds: readonly number[] },
): void {
  for (const id of new Set(groupIds)) {
    try {
      const settings = ["can_add_members_group"] as const;
      const group = getPermittedGroup(permissions, id, { actingUser: newcomer.inviter, settings });
      if (group.deactivated) continue;
      putGroup(tx, permissions, withMembers(group, [newcomer.user.id]));
      sendGroupEvent(tx, permissions, { op: "add_members", group_id: id, user_ids: [newcomer.user.id] });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

/**
 * Subscribes a new user to channels and sends the events. Skips archived channels and those that are neither public
 * default channels, which every new user may join, nor open to the inviter for subscribing others.
 */
async function joinChannels(
  app: ChatApp,
  tx: Tx,
  { permissions, newcomer, channelIds }: {
    permissions: PermissionContext;
    newcomer: Newcomer;
    channelIds: readonly number[];
  },
): Promise<void> {
  const defaultIds = new Set(await defaultChannelIds.get(tx, permissions.realm.id));
  const joinable: SubscribableChannel[] = [];
  for (const id of channelIds) {
    const channel = { id, isDefault: defaultIds.has(id) };
    const viewer = await readJoinableChannel(tx, permissions, { channel, inviter: newcomer.inviter });
    if (viewer !== null) joinable.push({ name: viewer.channel.name, viewer, color: undefined });
  }
  await subscribeUsers(app, tx, { permissions, channels: joinable, users: [newcomer.user] });
}

/** Reads a channel with the inviter as its viewer; returns null if the new user cannot join it. */
async function readJoinableChannel(
  tx: Tx,
  permissions: PermissionContext,
  { channel: { id, isDefault }, inviter }: {
    channel: { id: number; isDefault: boolean };
    inviter: UserRecord;
  },
): Promise<ChannelViewer | null> {
  const realmId = permissions.realm.id;
  const channel = await tx.get<ChannelRecord>(channelKeys.channel(realmId, id));
  if (channel === null || channel.is_archived) return null;
  if (isDefault && !channel.invite_only) return { channel, user: inviter, isSubscribed: false };
  const viewer = await readChannelViewer(tx, { realmId, channelId: id, user: inviter });
  const canJoin = viewer !== null && hasContentAccess(permissions, viewer) &&
    canAddOthers(permissions, viewer);
  return canJoin ? viewer : null;
}
