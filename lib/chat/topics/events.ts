import { type Key, keyText } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { hasContentAccess } from "../channels/model/access.ts";
import type { ChannelRecord } from "../channels/model/channel.ts";
import { readChannelViewer } from "../channels/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import type { UserRecord } from "../users/model.ts";
import { toMutedTopics, toUserTopic } from "./api.ts";
import { userTopicKeys, type UserTopicRecord, type UserTopicRef, VISIBILITY } from "./model.ts";
import { listUserTopics } from "./store.ts";

/** Number of topic policies above which the list of muted topics is not sent; bounds the event. */
const MAX_LISTED_TOPICS = 2000;
/** Maximum length of a sent list, in characters of JSON. */
const MAX_LIST_LENGTH = 30_000;

/** A written policy of a user for a topic. */
interface UserTopicWrite {
  readonly permissions: PermissionContext;
  readonly user: UserRecord;
  readonly of: UserTopicRef;
  readonly record: UserTopicRecord;
}

/** Sends a user the changed policy of a topic. */
export function sendUserTopicEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { userId, record }: { userId: number; record: UserTopicRecord },
): void {
  const event = { type: "user_topic", ...toUserTopic(record) };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [userId] });
}

/** Sends a user the full list of muted topics for older clients, unless it is too long for an event. */
export async function sendMutedTopicsEvent(app: ChatApp, tx: Tx, write: UserTopicWrite): Promise<void> {
  const { realm, now } = write.permissions;
  const muted = await listMutedTopics(app, tx, write);
  if (muted === null) return;
  const event = { type: "muted_topics", muted_topics: muted };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [write.of.userId] });
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
