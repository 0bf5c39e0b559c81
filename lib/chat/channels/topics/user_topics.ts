import { listValues } from "@/lib/store/reads.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { channelKeys } from "@/lib/chat/organization/channels/model/channel.ts";
import type { SubscriptionRecord } from "../subscriptions/model.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { hasContentAccess, invalidChannel } from "@/lib/chat/organization/channels/model/access.ts";
import { getReadableChannel, readChannelViewer } from "../store.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getChannelId } from "../list_channels.ts";
import type { ParamValues } from "@/lib/chat/organization/params/param.ts";
import {
  normalizeTopic,
  toDisplayTopic,
  toMutedTopics,
  toUserTopic,
  type updateMutedTopicParams,
  userTopicKeys,
  type UserTopicRecord,
  type UserTopicRef,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";

export interface TopicVisibility {
  readonly isFollowed: boolean;
  /** Whether the topic is muted, or its channel is and the topic is not unmuted. */
  readonly isMuted: boolean;
  /** Whether the topic itself is muted. */
  readonly isTopicMuted: boolean;
}

/** Visibility without a policy, and in conversations. */
export const DEFAULT_TOPIC_VISIBILITY: TopicVisibility = {
  isFollowed: false,
  isMuted: false,
  isTopicMuted: false,
};

export async function readTopicVisibility(
  app: ChatApp,
  realmId: number,
  { message, userId }: { message: { channel_id: number | null; topic: string }; userId: number },
): Promise<TopicVisibility> {
  const { channel_id: channelId, topic } = message;
  if (channelId === null) return DEFAULT_TOPIC_VISIBILITY;
  const [userTopic, subscription] = await Promise.all([
    app.reads.read<UserTopicRecord>(userTopicKeys.topic(realmId, { userId, channelId, topic })),
    app.reads.read<SubscriptionRecord>(channelKeys.subscription(realmId, userId, channelId)),
  ]);
  return toTopicVisibility(userTopic?.visibility_policy, subscription);
}

/** Returns the visibility of a topic of a channel for a user with a policy and a subscription, if there are any. */
export function toTopicVisibility(
  policy: VisibilityPolicy = VISIBILITY.none,
  subscription: SubscriptionRecord | null = null,
): TopicVisibility {
  const isMutedByChannel = subscription?.is_muted === true && policy === VISIBILITY.none;
  const isTopicMuted = policy === VISIBILITY.muted;
  return {
    isFollowed: policy === VISIBILITY.followed,
    isMuted: isTopicMuted || isMutedByChannel,
    isTopicMuted,
  };
}

/** Lists a user's topic policies by channel and topic. */
export async function listUserTopics(
  { store }: Pick<ChatApp, "store">,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<UserTopicRecord[]> {
  return await listValues<UserTopicRecord>(store.kv, userTopicKeys.topics(realmId, userId));
}

/** Writes a user's policy for a topic and returns the record; the policy `none` deletes the stored one. */
export function putUserTopic(
  tx: Tx,
  realmId: number,
  { of, policy, now }: { of: UserTopicRef; policy: VisibilityPolicy; now: number },
): UserTopicRecord {
  const record: UserTopicRecord = {
    channel_id: of.channelId,
    topic_name: of.topic,
    last_updated: now,
    visibility_policy: policy,
  };
  const key = userTopicKeys.topic(realmId, of);
  const indexKey = [...userTopicKeys.ofTopic(realmId, of), of.userId];
  if (policy === VISIBILITY.none) {
    tx.delete(key);
    tx.delete(indexKey);
  } else {
    tx.set(key, record);
    tx.set(indexKey, policy);
  }
  // A move checks this number, so it misses no policy of the topic.
  tx.sum(userTopicKeys.changes(realmId, of), 1n);
  return record;
}

/** Sends users the changed policy of a topic, which is the same for all of them. */
export function sendUserTopicEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { userIds, record }: { userIds: readonly number[]; record: UserTopicRecord },
): void {
  if (userIds.length === 0) return;
  const event = { type: "user_topic", ...toUserTopic(record) };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: userIds });
}

/** Sends users the event of changed muted topics for older clients; delivery adds the list of each user. */
export function sendMutedTopicsEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  userIds: readonly number[],
): void {
  if (userIds.length === 0) return;
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "muted_topics" }, audience: userIds });
}

/**
 * Sets the acting user's visibility policy for a topic and sends the events; does nothing unless the policy is
 * `replaces`, if that is given. Removing a policy requires only that the channel exists, so that users can clean up
 * channels they lost access to.
 * @throws AppError BAD_REQUEST.
 */
export async function setUserTopic(
  app: ChatApp,
  { realm, actingUser }: { realm: RealmRecord; actingUser: UserRecord },
  { channelId, topic: sent, policy, replaces }: {
    channelId: number;
    topic: string;
    policy: VisibilityPolicy;
    replaces?: VisibilityPolicy;
  },
): Promise<void> {
  const topic = normalizeTopic(sent);
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    if (policy !== VISIBILITY.none) {
      await getReadableChannel(tx, permissions, { channelId, user: actingUser });
    } else {
      const key = channelKeys.channel(realm.id, channelId);
      if (!Number.isSafeInteger(channelId) || await tx.get(key) === null) throw invalidChannel();
    }
    const of = { userId: actingUser.id, channelId, topic };
    const before = await tx.get<UserTopicRecord>(userTopicKeys.topic(realm.id, of));
    const current = before?.visibility_policy ?? VISIBILITY.none;
    if (current === policy || current !== (replaces ?? current)) return;
    const record = putUserTopic(tx, realm.id, { of, policy, now: permissions.now });
    sendMutedTopicsEvent(tx, permissions, [actingUser.id]);
    sendUserTopicEvent(tx, permissions, { userIds: [actingUser.id], record });
  }, `user topics ${realm.id} ${actingUser.id}`);
}

/**
 * Mutes or unmutes a topic for the caller, as older clients request it. Unmuting a topic that is not muted
 * changes nothing: its visibility policy stays.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function updateMutedTopic(
  app: ChatApp,
  caller: Caller,
  { stream, stream_id, topic, op }: ParamValues<typeof updateMutedTopicParams>,
): Promise<void> {
  if (stream !== undefined && stream_id !== undefined) {
    throw new AppError("BAD_REQUEST", "Unsupported parameter combination: stream_id, stream", {
      extra: { parameters: "stream_id, stream" },
    });
  }
  const channelId = stream === undefined ? stream_id : await getChannelId(app, caller, stream);
  if (channelId === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'stream_id' argument", {
      extra: { var_name: "stream_id" },
    });
  }
  const change = op === "add"
    ? { policy: VISIBILITY.muted }
    : { policy: VISIBILITY.none, replaces: VISIBILITY.muted };
  await setUserTopic(app, caller, { channelId, topic, ...change });
}

/**
 * Returns the muted ones of a user's topics for older clients, oldest first, without those in channels that the user
 * cannot read: their names must not be revealed.
 */
export async function listMutedTopics(
  app: ChatApp,
  permissions: PermissionContext,
  { user, topics, allowsEmptyTopic }: {
    user: UserRecord;
    topics: readonly UserTopicRecord[];
    allowsEmptyTopic: boolean;
  },
): Promise<ReturnType<typeof toMutedTopics>> {
  const realmId = permissions.realm.id;
  const muted = topics
    .filter(({ visibility_policy }) => visibility_policy === VISIBILITY.muted)
    .map((topic) => ({ ...topic, topic_name: toDisplayTopic(topic.topic_name, allowsEmptyTopic) }));
  const viewers = await Promise.all(
    [...new Set(muted.map(({ channel_id }) => channel_id))]
      .map((channelId) => readChannelViewer({ get: app.reads.read }, { realmId, channelId, user })),
  );
  const readable = viewers.filter((viewer) => viewer !== null)
    .filter((viewer) => hasContentAccess(permissions, viewer));
  return toMutedTopics(muted, readable.map(({ channel }) => channel));
}

/** Policies that are read at once. */
const BATCH = 500;

/** Adds the index of users' policies by topic to a store of version 0.5.0. */
export async function indexTopicPolicies(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    let count = 0;
    for await (const entry of store.kv.list({ prefix: [realmId, "user_topic"] }, { batchSize: BATCH })) {
      const { key: [, , userId = 0], value } = toEntry<UserTopicRecord>(entry);
      const topic = { channelId: value.channel_id, topic: value.topic_name };
      await writer.set([...userTopicKeys.ofTopic(realmId, topic), userId], value.visibility_policy);
      if (++count % BATCH === 0) await yieldToEventLoop();
    }
  }
  await writer.flush();
}
