import { type Key, keyText } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel, hasContentAccess, invalidChannel, readVisitor } from "../channels/access.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { sendEvent } from "../events/emit.ts";
import { toTopic } from "../messages/edit_topic.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import { listUserTopics } from "./list.ts";
import { toMutedTopics, toUserTopic } from "./view.ts";
import {
  type TopicOf,
  userTopicKeys,
  type UserTopicRecord,
  VISIBILITY,
  type VisibilityPolicy,
} from "../messages/user_topic.ts";

/** Of more topics nobody is told the whole list of the muted ones: the store's values have an end. */
const MAX_TOLD = 2000;
/** The largest list that is told, in characters of JSON. */
const MAX_TOLD_LENGTH = 30_000;

/** A topic by its channel, and what the caller wants of it. */
export interface WantedVisibility {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: VisibilityPolicy;
}

/**
 * Puts down what the caller wants of a topic, and tells him. Taking it back asks no more of the channel than that it
 * exists, so that nobody is stuck with what he wanted of a channel that he can no longer see.
 * @throws AppError BAD_REQUEST.
 */
export async function setUserTopic(
  app: ChatApp,
  { realm, actingUser }: { realm: RealmRecord; actingUser: UserRecord },
  { channelId, topic: sent, policy }: WantedVisibility,
): Promise<void> {
  const topic = toTopic(sent);
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await requireChannel(tx, permissions, { channelId, actingUser, policy });
    const of = { userId: actingUser.id, channelId, topic };
    const key = userTopicKeys.topic(realm.id, of);
    const before = await tx.get<UserTopicRecord>(key);
    if ((before?.visibility_policy ?? VISIBILITY.none) === policy) return;
    const record: UserTopicRecord = {
      channel_id: channelId,
      topic_name: topic,
      last_updated: permissions.now,
      visibility_policy: policy,
    };
    if (policy === VISIBILITY.none) tx.delete(key);
    else tx.set(key, record);
    await tell(app, tx, { permissions, user: actingUser, of, record });
  }, `user topics ${realm.id} ${actingUser.id}`);
}

async function requireChannel(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, actingUser, policy }: {
    channelId: number;
    actingUser: UserRecord;
    policy: VisibilityPolicy;
  },
): Promise<void> {
  if (policy !== VISIBILITY.none) {
    await accessChannel(tx, permissions, { channelId, user: actingUser });
    return;
  }
  const key = channelKeys.channel(permissions.realm.id, channelId);
  if (!Number.isSafeInteger(channelId) || await tx.get(key) === null) throw invalidChannel();
}

interface Change {
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly of: TopicOf;
  readonly record: UserTopicRecord;
}

/** Old clients take the whole list of muted topics, new ones the one that changed. */
async function tell(app: ChatApp, tx: Tx, { permissions, user, of, record }: Change): Promise<void> {
  const { realm, now } = permissions;
  const audience = [of.userId];
  const muted = await listMuted(app, tx, { permissions, user, of, record });
  if (muted !== null) {
    const event = { type: "muted_topics", muted_topics: muted };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience });
  }
  const event = { type: "user_topic", ...toUserTopic(record) };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

/** The muted topics as this change leaves them; null when they are too many to be told. */
async function listMuted(app: ChatApp, tx: Tx, { permissions, user, of, record }: Change) {
  const realmId = permissions.realm.id;
  const version = userTopicKeys.version(realmId, of.userId);
  tx.set(version, (await tx.get<number>(version) ?? 0) + 1);
  const entries = await listUserTopics(app, { realmId, userId: of.userId, limit: MAX_TOLD });
  if (entries.length === MAX_TOLD) return null;
  const topics = new Map(entries.map(({ key, value }) => [keyText(key), value]));
  topics.set(keyText(userTopicKeys.topic(realmId, of)), record);
  const muted = [...topics.values()].filter((one) => one.visibility_policy === VISIBILITY.muted);
  const channels = await peekReadable(tx, permissions, {
    user,
    channelIds: muted.map((one) => one.channel_id),
  });
  const told = toMutedTopics(muted, channels);
  return JSON.stringify(told).length > MAX_TOLD_LENGTH ? null : told;
}

/** The channels that somebody may read: the names of others are not told. */
async function peekReadable(
  tx: Tx,
  permissions: PermissionContext,
  { user, channelIds }: { user: UserRecord; channelIds: readonly number[] },
): Promise<ChannelRecord[]> {
  const peek = { get: <T>(key: Key) => tx.peek<T>(key) };
  const visitors = await Promise.all(
    [...new Set(channelIds)].map((channelId) =>
      readVisitor(peek, { realmId: permissions.realm.id, channelId, user })
    ),
  );
  return visitors.flatMap((visitor) =>
    visitor === null || !hasContentAccess(permissions, visitor) ? [] : [visitor.channel]
  );
}
