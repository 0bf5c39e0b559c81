import { videoCalls } from "./call_parts.ts";
import { recentConversations } from "./conversation_parts.ts";
import { channelLimits, folderLimits, organization } from "./organization_parts.ts";
import { devices } from "./device_parts.ts";
import { drafts } from "./draft_parts.ts";
import { realmEmoji } from "./emoji_parts.ts";
import { lastMessage, oldDisplaySettings, oldNotificationSettings, ownSettings } from "./own_parts.ts";
import { linkifiers, oldLinkifiers } from "./linkifier_parts.ts";
import { channels, defaultChannels, folders, subscriptions, userTopics } from "./channel_parts.ts";
import { realmDomains } from "./domain_parts.ts";
import { mutedTopics } from "./muted_topic_parts.ts";
import { mutedUsers } from "./muted_user_parts.ts";
import type { Part } from "./part.ts";
import { bots, groups, people } from "./people_parts.ts";
import { externalAccounts, profileFields } from "./profile_field_parts.ts";
import { presence } from "./presence_parts.ts";
import { snippets } from "./snippet_parts.ts";
import { starredMessages } from "./starred_parts.ts";
import { statuses } from "./status_parts.ts";
import { unreadMessages } from "./unread_parts.ts";
import { avatarBound, uploadBounds } from "./upload_parts.ts";

/** Everything that a client can be given when it registers, in the order of the answer. */
export const PARTS: readonly Part[] = [
  lastMessage,
  unreadMessages,
  organization,
  uploadBounds,
  realmDomains,
  channelLimits,
  folderLimits,
  channels,
  folders,
  defaultChannels,
  subscriptions,
  userTopics,
  mutedTopics,
  mutedUsers,
  people,
  avatarBound,
  bots,
  groups,
  profileFields,
  externalAccounts,
  ownSettings,
  oldDisplaySettings,
  oldNotificationSettings,
  presence,
  snippets,
  statuses,
  linkifiers,
  oldLinkifiers,
  realmEmoji,
  starredMessages,
  recentConversations,
  drafts,
  videoCalls,
  devices,
];
