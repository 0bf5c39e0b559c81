import { toEntry } from "@/lib/kv/key.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel, invalidChannel, readOpenChannel } from "../channels/access.ts";
import { channelKeys, type Period, type SubscriptionRecord } from "../channels/channel.ts";
import { bool, described, withDefault } from "../params/param.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { Viewer } from "./access.ts";
import { showTopic } from "./edit_topic.ts";
import type { Reader } from "./mark_read.ts";
import { messageKeys, type TopicRecord } from "./message.ts";

/** A topic and its newest message that the reader may see. */
export interface ShownTopic {
  readonly name: string;
  readonly max_id: number;
}

/** The parameters of listing a channel's topics. */
export const listTopicsParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Shows the topic without a name as such, rather than under its display name.",
  ),
};

/** Topics whose newest message is looked for at the same time. */
const AT_ONCE = 50;
/** Everything that was ever sent. */
const ALWAYS: readonly Period[] = [{ from: 0, to: null }];

/**
 * The topics of a channel that hold messages which the reader may see, the one with the newest message first.
 * @throws AppError BAD_REQUEST for a channel that he may not read.
 */
export async function listTopics(
  app: ChatApp,
  { realm, user }: { realm: RealmRecord; user: Viewer },
  { channelId, knowsEmptyTopic }: { channelId: number; knowsEmptyTopic: boolean },
): Promise<ShownTopic[]> {
  const periods = user === null
    ? await openPeriods(app, realm, channelId)
    : await readablePeriods(app, { realm, user }, channelId);
  const names = await namesOfTopics(app, realm.id, channelId);
  const topics: ShownTopic[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE).map(async (name) => {
      const max_id = await newestIn(app, messageKeys.ofTopic(realm.id, channelId, name), periods);
      return max_id === null ? [] : [{ name: showTopic(name, knowsEmptyTopic), max_id }];
    });
    topics.push(...(await Promise.all(some)).flat());
  }
  return topics.sort((one, other) => other.max_id - one.max_id);
}

async function openPeriods(
  app: ChatApp,
  realm: RealmRecord,
  channelId: number,
): Promise<readonly Period[]> {
  if (await readOpenChannel(app, realm, channelId) === null) throw invalidChannel();
  return ALWAYS;
}

async function readablePeriods(
  app: ChatApp,
  { realm, user }: Reader,
  channelId: number,
): Promise<readonly Period[]> {
  const permissions = await peekPermissionContext(app, realm);
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  const { channel } = await accessChannel(reads, permissions, { channelId, user });
  return channel.history_public_to_subscribers
    ? ALWAYS
    : await receivedPeriods(app, { realm, user }, channelId);
}

/** Of a protected history everybody sees what was sent to him. */
async function receivedPeriods(
  app: ChatApp,
  { realm, user }: Reader,
  channelId: number,
): Promise<readonly Period[]> {
  const key = channelKeys.subscription(realm.id, user.id, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.periods ?? [];
}

async function namesOfTopics({ store }: ChatApp, realmId: number, channelId: number): Promise<string[]> {
  const names: string[] = [];
  const listing = store.kv.list({ prefix: [...messageKeys.topics(realmId, channelId)] }, { batchSize: 500 });
  for await (const entry of listing) names.push(toEntry<TopicRecord>(entry).value.name);
  return names;
}

/** The newest id of an index that lies in some periods, which ascend; or null. */
async function newestIn(
  { store }: ChatApp,
  prefix: Key,
  periods: readonly Period[],
): Promise<number | null> {
  for (const { from, to } of periods.toReversed()) {
    const selector = { start: [...prefix, from], end: [...prefix, (to ?? Number.MAX_SAFE_INTEGER - 1) + 1] };
    for await (const { key } of store.kv.list(selector, { reverse: true, limit: 1 })) {
      const id = key.at(-1);
      if (typeof id === "number") return id;
    }
  }
  return null;
}
