import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { UserList } from "@/lib/chat/users/model.ts";
import { readUserList } from "@/lib/chat/users/store.ts";
import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import type { ChannelRecord } from "../model/channel.ts";
import { type ChannelList, readChannelList } from "../store.ts";
import { readSubscriberActions, type SubscriberActionList } from "../subscriptions/store.ts";
import { toChannel } from "./view.ts";

/** Number of channels that are serialized before the event loop takes its turn. */
const CHANNELS_AT_ONCE = 10;

/** A channel with its JSON text. */
interface ChannelText {
  readonly channel: ChannelRecord;
  readonly subscriberCount: number;
  readonly text: string;
}

/** The JSON texts of an organization's channels. */
interface ChannelTexts {
  readonly size: number;
  /** Version of the channels and users; the texts also depend on the numbers of subscribers. */
  readonly version: string;
  readonly byId: ReadonlyMap<number, ChannelText>;
}

/** Everything that the texts of channels are derived from. */
interface TextSource {
  readonly permissions: PermissionContext;
  readonly list: ChannelList;
  readonly users: UserList;
  readonly actions: SubscriberActionList;
}

/**
 * Returns channels as `toChannels` does, serialized. The texts are the same for every user with metadata access,
 * and are kept while no channel, user or number of subscribers changes.
 */
export async function toChannelTexts(
  app: ChatApp,
  permissions: PermissionContext,
  channels: readonly ChannelRecord[],
): Promise<readonly string[]> {
  const realmId = permissions.realm.id;
  const [list, users, actions] = await Promise.all([
    readChannelList(app, realmId),
    readUserList(app, realmId),
    readSubscriberActions(app, realmId),
  ]);
  const source = { permissions, list, users, actions };
  const isSettled = list.version !== null && users.version !== null && actions.version !== null;
  const kept = isSettled ? await readTexts(app, source) : undefined;
  return await mapInSlices(channels, (channel) => {
    const found = kept?.byId.get(channel.id);
    return found?.channel === channel ? found.text : toText(source, channel).text;
  }, kept === undefined ? CHANNELS_AT_ONCE : undefined);
}

async function readTexts(app: ChatApp, source: TextSource): Promise<ChannelTexts> {
  const { permissions, list, users, actions } = source;
  const version = `${list.version} ${users.version}`;
  const name = `channel texts ${permissions.realm.id}`;
  return await app.caches.getSized<ChannelTexts>(name, `${version} ${actions.version}`, async (previous) => {
    const former = previous?.version === version ? previous.byId : new Map<number, ChannelText>();
    const texts = await mapInSlices(list.channels, (channel) => {
      const known = former.get(channel.id);
      return known?.subscriberCount === countSubscribers(source, channel) ? known : toText(source, channel);
    }, CHANNELS_AT_ONCE);
    const size = texts.reduce((sum, { text }) => sum + text.length, 0);
    return { size, version, byId: new Map(texts.map((text) => [text.channel.id, text])) };
  });
}

function toText(source: TextSource, channel: ChannelRecord): ChannelText {
  const subscriberCount = countSubscribers(source, channel);
  const { permissions, users: { isActive } } = source;
  const text = JSON.stringify(toChannel(permissions, channel, { isActive, subscriberCount }));
  return { channel, subscriberCount, text };
}

function countSubscribers({ actions }: TextSource, { id }: ChannelRecord): number {
  const { joined, left } = actions.byChannel.get(id) ?? { joined: 0, left: 0 };
  return joined - left;
}
