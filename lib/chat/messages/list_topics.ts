import { listValues } from "@/lib/store/reads.ts";
import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "../organization/app.ts";
import { invalidChannel } from "../organization/channels/model/access.ts";
import { getReadableChannel, readChannelAsSpectator } from "../channels/store.ts";
import { channelKeys } from "../organization/channels/model/channel.ts";
import type { SubscriptionPeriod, SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import { toDisplayTopic } from "../channels/topics/model.ts";
import { ALL_TIME, findNewestId } from "./store.ts";
import { messageKeys, type TopicRecord, type Viewer } from "./model.ts";

interface TopicSummary {
  readonly name: string;
  readonly max_id: number;
}

/** Number of topics whose newest message is looked up concurrently. */
const READ_AHEAD = 50;

/**
 * Lists a channel's topics with messages that the viewer can see, most recent first.
 * @throws AppError BAD_REQUEST for a channel that the viewer cannot read.
 */
export async function listTopics(
  app: ChatApp,
  { realm, user }: { realm: RealmRecord; user: Viewer },
  { channelId, allowsEmptyTopic }: { channelId: number; allowsEmptyTopic: boolean },
): Promise<TopicSummary[]> {
  const periods = await readVisiblePeriods(app, { realm, user }, channelId);
  const records = await listValues<TopicRecord>(app.store.kv, messageKeys.topics(realm.id, channelId));
  const topics: TopicSummary[] = [];
  for (const batch of chunk(records, READ_AHEAD)) {
    const some = batch.map(async ({ name }) => {
      const max_id = await findNewestId(app, messageKeys.ofTopic(realm.id, channelId, name), periods);
      return max_id === null ? [] : [{ name: toDisplayTopic(name, allowsEmptyTopic), max_id }];
    });
    topics.push(...(await Promise.all(some)).flat());
  }
  return topics.sort((a, b) => b.max_id - a.max_id);
}

/** Reads the periods of which a viewer can see the messages of a channel: subscriptions limit a protected history. */
async function readVisiblePeriods(
  app: ChatApp,
  { realm, user }: { realm: RealmRecord; user: Viewer },
  channelId: number,
): Promise<readonly SubscriptionPeriod[]> {
  if (user === null) {
    if (await readChannelAsSpectator(app, realm, channelId) === null) throw invalidChannel();
    return ALL_TIME;
  }
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const { channel } = await getReadableChannel({ get: app.reads.read }, permissions, { channelId, user });
  if (channel.history_public_to_subscribers) return ALL_TIME;
  const key = channelKeys.subscription(realm.id, user.id, channelId);
  return (await app.reads.read<SubscriptionRecord>(key))?.periods ?? [];
}
