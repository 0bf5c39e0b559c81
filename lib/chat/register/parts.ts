import { channelLimits, folderLimits, organization } from "./organization_parts.ts";
import { lastMessage, ownSettings, presenceTime } from "./own_parts.ts";
import { channels, defaultChannels, folders, subscriptions, userTopics } from "./channel_parts.ts";
import type { Part } from "./part.ts";
import { bots, groups, people } from "./people_parts.ts";

/** Everything that a client can be given when it registers, in the order of the answer. */
export const PARTS: readonly Part[] = [
  lastMessage,
  organization,
  channelLimits,
  folderLimits,
  channels,
  folders,
  defaultChannels,
  subscriptions,
  userTopics,
  people,
  bots,
  groups,
  ownSettings,
  presenceTime,
];
