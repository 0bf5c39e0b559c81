import { type Key, keyText } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { hasContentAccess, invalidChannel } from "../channels/model/access.ts";
import { getReadableChannel, readChannelViewer } from "../channels/store.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import {
  normalizeTopic,
  userTopicKeys,
  type UserTopicRecord,
  type UserTopicRef,
  VISIBILITY,
  type VisibilityPolicy,
} from "./model.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";
import { listUserTopics } from "./store.ts";
import { toMutedTopics, toUserTopic } from "./api.ts";
import { sendEvent } from "../events/send_events.ts";

/** Number of topic policies above which the list of muted topics is not sent; bounds the event. */
const MAX_LISTED_TOPICS = 2000;
/** Maximum length of a sent list, in characters of JSON. */
const MAX_LIST_LENGTH = 30_000;

/** A topic and its new visibility policy. */
export interface UserTopicChange {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: VisibilityPolicy;
  /** The only policy that is replaced; a topic with another one stays as it is. */
  readonly replaces?: VisibilityPolicy;
}

/**
 * Sets the acting user's visibility policy for a topic and sends the events. Removing a policy requires only
 * that the channel exists, so that users can clean up channels they lost access to.
 * @throws AppError BAD_REQUEST.
 */
export async function setUserTopic(
  app: ChatApp,
  { realm, actingUser }: { realm: RealmRecord; actingUser: UserRecord },
  { channelId, topic: sent, policy, replaces }: UserTopicChange,
): Promise<void> {
  const topic = normalizeTopic(sent);
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    await requireChannelAccess(tx, permissions, { channelId, actingUser, policy });
    const of = { userId: actingUser.id, channelId, topic };
    const key = userTopicKeys.topic(realm.id, of);
    const before = await tx.get<UserTopicRecord>(key);
    const current = before?.visibility_policy ?? VISIBILITY.none;
    if (current === policy || current !== (replaces ?? current)) return;
    const record: UserTopicRecord = {
      channel_id: channelId,
      topic_name: topic,
      last_updated: permissions.now,
      visibility_policy: policy,
    };
    if (policy === VISIBILITY.none) tx.delete(key);
    else tx.set(key, record);
    await sendUserTopicEvents(app, tx, { permissions, user: actingUser, of, record });
  }, `user topics ${realm.id} ${actingUser.id}`);
}

async function requireChannelAccess(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, actingUser, policy }: {
    channelId: number;
    actingUser: UserRecord;
    policy: VisibilityPolicy;
  },
): Promise<void> {
  if (policy !== VISIBILITY.none) {
    await getReadableChannel(tx, permissions, { channelId, user: actingUser });
    return;
  }
  const key = channelKeys.channel(permissions.realm.id, channelId);
  if (!Number.isSafeInteger(channelId) || await tx.get(key) === null) throw invalidChannel();
}

interface UserTopicWrite {
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly of: UserTopicRef;
  readonly record: UserTopicRecord;
}

/** Sends the full list of muted topics for older clients, and the changed topic for newer ones. */
async function sendUserTopicEvents(
  app: ChatApp,
  tx: Tx,
  { permissions, user, of, record }: UserTopicWrite,
): Promise<void> {
  const { realm, now } = permissions;
  const audience = [of.userId];
  const muted = await listMutedTopics(app, tx, { permissions, user, of, record });
  if (muted !== null) {
    const event = { type: "muted_topics", muted_topics: muted };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience });
  }
  const event = { type: "user_topic", ...toUserTopic(record) };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

/** Lists the muted topics after this change; null when they are too many for an event. */
async function listMutedTopics(app: ChatApp, tx: Tx, { permissions, user, of, record }: UserTopicWrite) {
  const realmId = permissions.realm.id;
  const version = userTopicKeys.version(realmId, of.userId);
  tx.set(version, (await tx.get<number>(version) ?? 0) + 1);
  const entries = await listUserTopics(app, { realmId, userId: of.userId, limit: MAX_LISTED_TOPICS });
  if (entries.length === MAX_LISTED_TOPICS) return null;
  const topics = new Map(entries.map(({ key, value }) => [keyText(key), value]));
  topics.set(keyText(userTopicKeys.topic(realmId, of)), record);
  const muted = [...topics.values()].filter((one) => one.visibility_policy === VISIBILITY.muted);
  const channels = await peekReadableChannels(tx, permissions, {
    user,
    channelIds: muted.map((one) => one.channel_id),
  });
  const listed = toMutedTopics(muted, channels);
  return JSON.stringify(listed).length > MAX_LIST_LENGTH ? null : listed;
}

/** Returns the channels that the user can read; names of others must not be revealed. */
async function peekReadableChannels(
  tx: Tx,
  permissions: PermissionContext,
  { user, channelIds }: { user: UserRecord; channelIds: readonly number[] },
): Promise<ChannelRecord[]> {
  const peek = { get: <T>(key: Key) => tx.peek<T>(key) };
  const viewers = await Promise.all(
    [...new Set(channelIds)].map((channelId) =>
      readChannelViewer(peek, { realmId: permissions.realm.id, channelId, user })
    ),
  );
  return viewers.flatMap((viewer) =>
    viewer === null || !hasContentAccess(permissions, viewer) ? [] : [viewer.channel]
  );
}
