import type { ChatApp } from "@/lib/chat/app.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { UserList } from "@/lib/chat/users/model.ts";
import { userListOf } from "@/lib/chat/users/store.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import { channelKeys, type ChannelRecord } from "../model/channel.ts";
import { type ChannelList, channelListOf } from "../store.ts";
import { countSubscribers } from "../subscriptions/store.ts";
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
  /** Channels and users that the texts were derived from; they also depend on the numbers of subscribers. */
  readonly list: ChannelList;
  readonly users: UserList;
  readonly byId: ReadonlyMap<number, ChannelText>;
}

/** Everything that the texts of channels are derived from. */
interface TextSource {
  readonly permissions: PermissionContext;
  readonly list: ChannelList;
  readonly users: UserList;
  readonly organization: Snapshot;
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
  const organization = await app.readOrganization(permissions.realm.id);
  const source = {
    ...{ permissions, organization },
    list: channelListOf(organization),
    users: userListOf(organization),
  };
  const kept = await readTexts(app, source);
  return await mapInSlices(channels, (channel) => {
    const found = kept.byId.get(channel.id);
    return found?.channel === channel ? found.text : toText(source, channel).text;
  });
}

async function readTexts(app: ChatApp, source: TextSource): Promise<ChannelTexts> {
  const { permissions, list, users, organization } = source;
  const name = `channel texts ${permissions.realm.id}`;
  const sources = [list, users, organization.rows(channelKeys.subscriberCounts(permissions.realm.id))];
  return await app.cache.get<ChannelTexts>(name, sources, async (previous) => {
    const isSame = previous?.list === list && previous.users === users;
    const former = isSame ? previous.byId : new Map<number, ChannelText>();
    const texts = await mapInSlices(list.channels, (channel) => {
      const known = former.get(channel.id);
      return known?.subscriberCount === countSubscribers(organization, channel.id)
        ? known
        : toText(source, channel);
    }, CHANNELS_AT_ONCE);
    const size = texts.reduce((sum, { text }) => sum + text.length, 0);
    return { size, list, users, byId: new Map(texts.map((text) => [text.channel.id, text])) };
  });
}

function toText(source: TextSource, channel: ChannelRecord): ChannelText {
  const subscriberCount = countSubscribers(source.organization, channel.id);
  const { permissions, users: { isActive } } = source;
  const text = JSON.stringify(toChannel(permissions, channel, { isActive, subscriberCount }));
  return { channel, subscriberCount, text };
}
