import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import { toSpectatorChannels } from "@/lib/chat/channels/api.ts";
import { listSpectatorChannels } from "@/lib/chat/channels/store.ts";
import { snippets, snippetsSchema } from "@/lib/chat/messages/saved_snippets.ts";
import {
  alertWords,
  bots,
  devices,
  externalAccounts,
  legacyDisplaySettings,
  legacyNotificationSettings,
  mutedUsers,
  navigationViews,
  ownSettings,
  people,
  presence,
  profileFields,
  settingsDefaults,
  userGroups,
  userStatuses,
  videoCalls,
} from "./people.ts";
import {
  channelFolders,
  channels,
  defaultChannels,
  mutedTopics,
  subscriptions,
  userTopics,
} from "./channels.ts";
import { billing, emptyLists, fixedPermissions, fixedSettings } from "./fixed_settings.ts";
import {
  drafts,
  lastMessage,
  recentConversations,
  reminders,
  scheduledMessages,
  starredMessages,
} from "./messages.ts";
import { type SpectatorContext, type StatePart, statePart } from "./model.ts";
import {
  avatarLimit,
  channelLimits,
  folderLimits,
  legacyLinkifiers,
  linkifiers,
  organization,
  playgrounds,
  realmDomains,
  realmEmoji,
  reportTypes,
  spectatorOrganization,
  uploadLimits,
} from "./organization.ts";
import { unreadMessages } from "./unread_messages.ts";

/** All parts of the initial state, in the order of the response. */
export const STATE_PARTS: readonly StatePart[] = [
  lastMessage,
  unreadMessages,
  organization,
  fixedSettings,
  fixedPermissions,
  uploadLimits,
  reportTypes,
  realmDomains,
  channelLimits,
  folderLimits,
  channels,
  channelFolders,
  defaultChannels,
  subscriptions,
  userTopics,
  mutedTopics,
  mutedUsers,
  alertWords,
  people,
  avatarLimit,
  bots,
  userGroups,
  profileFields,
  externalAccounts,
  ownSettings,
  settingsDefaults,
  legacyDisplaySettings,
  legacyNotificationSettings,
  presence,
  statePart("saved_snippets", snippetsSchema, async ({ app, realm, user }) => ({
    saved_snippets: await snippets.list(app, { realm, actingUser: user }),
  })),
  userStatuses,
  linkifiers,
  legacyLinkifiers,
  playgrounds,
  realmEmoji,
  starredMessages,
  recentConversations,
  drafts,
  scheduledMessages,
  reminders,
  videoCalls,
  devices,
  navigationViews,
  billing,
  ...emptyLists,
];

/** All parts of the initial state that spectators receive, in the order of the response. */
export const SPECTATOR_PARTS: readonly StatePart<SpectatorContext>[] = [
  spectatorOrganization,
  fixedSettings,
  uploadLimits,
  channelLimits,
  folderLimits,
  { ...channels, read: async (context) => ({ streams: await readChannels(context) }) },
  {
    ...channelFolders,
    // The names of folders without a channel that is open to spectators are not public.
    read: async ({ app, realm }) => {
      const open = await listSpectatorChannels(app, realm);
      const folderIds = new Set(open.map(({ folder_id }) => folder_id));
      const folders = await listChannelFolders(app, realm, { includeArchived: true });
      const shown = folders.filter(({ id }) => folderIds.has(id));
      return { channel_folders: shown.map((folder) => ({ ...folder, creator_id: null })) };
    },
  },
  { ...defaultChannels, read: () => Promise.resolve({ realm_default_streams: [] }) },
  {
    ...subscriptions,
    read: async (context) => ({
      subscriptions: [],
      never_subscribed: await readChannels(context),
      unsubscribed: [],
    }),
  },
  // Messages name their senders; spectators learn of no other accounts.
  {
    ...people,
    read: () => Promise.resolve({ realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }),
  },
  avatarLimit,
  profileFields,
  externalAccounts,
  linkifiers,
  legacyLinkifiers,
  playgrounds,
  realmEmoji,
];

async function readChannels({ app, realm, permissions }: SpectatorContext) {
  return await toSpectatorChannels(permissions, await listSpectatorChannels(app, realm));
}
