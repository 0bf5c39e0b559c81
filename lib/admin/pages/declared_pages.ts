import type { DeclaredPage } from "../declare/page.tsx";
import { botKeyPage, newBotPage } from "./bots/bots.tsx";
import { webhookPage } from "./bots/webhook.tsx";
import * as channelFolders from "./channel_folders.tsx";
import { archiveChannelPage, channelPage } from "./channels/channel.tsx";
import { channelPermissionsPage } from "./channels/channel_permissions.tsx";
import { channelsPage } from "./channels/channels.tsx";
import { newChannelPage } from "./channels/new_channel.tsx";
import { deactivateGroupPage, groupPage } from "./groups/group.tsx";
import { groupsPage } from "./groups/groups.tsx";
import { newGroupPage } from "./groups/new_group.tsx";
import { importLinkifiersPage } from "./linkifiers/import.tsx";
import { deleteLinkifierPage, linkifierPage, newLinkifierPage } from "./linkifiers/linkifier.tsx";
import { linkifiersPage } from "./linkifiers/linkifiers.tsx";
import { linkifierTrialPage } from "./linkifiers/trial.tsx";
import { hostsPage } from "./links/hosts.tsx";
import { deleteLinkPage, linkPage } from "./links/link.tsx";
import { linksPage } from "./links/links.tsx";
import { realmPermissionsPage } from "./organization/permissions.tsx";
import * as playgrounds from "./playgrounds.tsx";
import { linkStatsPage } from "./stats/link_stats.tsx";
import { statsPage } from "./stats/stats.tsx";
import { importUsersPage } from "./users/import.tsx";
import { newUserPage } from "./users/new_user.tsx";
import { userPage } from "./users/user.tsx";
import { deactivateUserPage, resetKeyPage, signInLinkPage } from "./users/user_actions.tsx";
import { userPermissionsPage } from "./users/user_permissions.tsx";
import { usersPage } from "./users/users.tsx";

/** The declared admin pages. */
export const DECLARED_PAGES: readonly DeclaredPage[] = [
  newBotPage,
  botKeyPage,
  webhookPage,
  ...Object.values<DeclaredPage>(channelFolders),
  channelsPage,
  newChannelPage,
  channelPage,
  archiveChannelPage,
  channelPermissionsPage,
  groupsPage,
  newGroupPage,
  groupPage,
  deactivateGroupPage,
  linkifiersPage,
  newLinkifierPage,
  importLinkifiersPage,
  linkifierTrialPage,
  linkifierPage,
  deleteLinkifierPage,
  linksPage,
  hostsPage,
  linkPage,
  deleteLinkPage,
  realmPermissionsPage,
  ...Object.values<DeclaredPage>(playgrounds),
  statsPage,
  linkStatsPage,
  usersPage,
  newUserPage,
  importUsersPage,
  userPage,
  deactivateUserPage,
  resetKeyPage,
  signInLinkPage,
  userPermissionsPage,
];
