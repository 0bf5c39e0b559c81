import type { ChatApp } from "@/lib/chat/app.ts";
import { cacheReads } from "@/lib/chat/messages/read/cache_reads.ts";
import { toChannelTexts } from "@/lib/chat/channels/list_channels.ts";
import type { ChannelViewer } from "@/lib/chat/channels/model/access.ts";
import { listChannelsVisibleTo } from "@/lib/chat/channels/store.ts";
import type { SubscriptionRecord } from "@/lib/chat/channels/subscriptions/model.ts";
import { listAllSubscriptions } from "@/lib/chat/channels/subscriptions/store.ts";
import type { UserTopicRecord } from "@/lib/chat/topics/model.ts";
import { listUserTopics } from "@/lib/chat/topics/user_topics.ts";
import type { StateContext } from "./model.ts";

/** A channel that the client knows, with its JSON text. */
export interface KnownChannel {
  readonly id: number;
  readonly text: string;
}

/** The caller's channels, which several parts of the state contain. */
export interface ChannelState {
  /** Channels to which the caller has metadata access, archived ones included, by name. */
  readonly visible: readonly ChannelViewer[];
  /** Those that the client knows, in the same order, with their JSON texts. */
  readonly known: readonly KnownChannel[];
}

/** Reads the caller's subscriptions by channel id, those that ended included. */
export function readSubscriptions(
  { app, realm, user }: StateContext,
): Promise<ReadonlyMap<number, SubscriptionRecord>> {
  return listAllSubscriptions(app, realm.id, user.id);
}

/** Returns the services with a cache of reads that the parts share. */
export function readOnce({ app }: StateContext): Promise<ChatApp> {
  return Promise.resolve(cacheReads(app));
}

/** Lists the topics that the caller muted, unmuted or follows. */
export function readUserTopics({ app, realm, user }: StateContext): Promise<UserTopicRecord[]> {
  return listUserTopics(app, { realmId: realm.id, userId: user.id });
}

/** Reads the caller's channels. */
export async function readChannelState(
  { app, permissions, user, capabilities, share }: StateContext,
): Promise<ChannelState> {
  const active = [...await share(readSubscriptions)].filter(([, { is_active }]) => is_active);
  const subscribed = new Set(active.map(([id]) => id));
  const visible = await listChannelsVisibleTo(app, permissions, { user, subscribed });
  const includeArchived = capabilities.includes("archived_channels");
  const known = visible.map(({ channel }) => channel)
    .filter(({ is_archived }) => includeArchived || !is_archived);
  const texts = await toChannelTexts(app, permissions, known);
  return { visible, known: known.map(({ id }, at) => ({ id, text: texts[at] ?? "{}" })) };
}
