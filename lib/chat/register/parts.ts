import { channelLimits, folderLimits, organization } from "./organization_parts.ts";
import { lastMessage, ownSettings, presenceTime } from "./own_parts.ts";
import type { Part } from "./part.ts";
import { bots, groups, people } from "./people_parts.ts";

/** Everything that a client can be given when it registers, in the order of the answer. */
export const PARTS: readonly Part[] = [
  lastMessage,
  organization,
  channelLimits,
  folderLimits,
  people,
  bots,
  groups,
  ownSettings,
  presenceTime,
];
