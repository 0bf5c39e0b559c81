import type { DeclaredPage } from "../declare/page.tsx";
import { activityPage } from "./activity.tsx";
import { auditPage } from "./audit/audit.tsx";
import { revertPage } from "./audit/revert.tsx";
import { botKeyPage, newBotPage } from "./bots/bots.tsx";
import { webhookPage } from "./bots/webhook.tsx";
import { bulkActionPage } from "./bulk_actions/bulk_action.tsx";
import { bulkActionsPage } from "./bulk_actions/bulk_actions.tsx";
import { confirmBulkActionPage } from "./bulk_actions/confirm_bulk_action.tsx";
import { newBulkActionPage } from "./bulk_actions/new_bulk_action.tsx";
import * as channelFolders from "./channel_folders.tsx";
import { archiveChannelPage, channelPage } from "./channels/channel.tsx";
import { channelPermissionsPage } from "./channels/channel_permissions.tsx";
import { channelsPage } from "./channels/channels.tsx";
import { newChannelPage } from "./channels/new_channel.tsx";
import { deactivateGroupPage, groupPage } from "./groups/group.tsx";
import { groupsPage } from "./groups/groups.tsx";
import { newGroupPage } from "./groups/new_group.tsx";
import {
  inviteUrlPage,
  resendPage,
  revokeEmailPage,
  revokeManyPage,
  revokeReusablePage,
} from "./invitations/invitation_actions.tsx";
import { invitationLinkPage } from "./invitations/invitation_link.tsx";
import { invitationsPage } from "./invitations/invitations.tsx";
import { importLinkifiersPage } from "./linkifiers/import.tsx";
import { deleteLinkifierPage, linkifierPage, newLinkifierPage } from "./linkifiers/linkifier.tsx";
import { linkifiersPage } from "./linkifiers/linkifiers.tsx";
import { linkifierTrialPage } from "./linkifiers/trial.tsx";
import { hostsPage } from "./links/hosts.tsx";
import { deleteLinkPage } from "./links/edit_link.tsx";
import { linkPage } from "./links/link.tsx";
import { linksPage } from "./links/links.tsx";
import { closingPage, removeDomainPage } from "./organization/confirmations.tsx";
import { deactivateEmojiPage, emojiPage } from "./organization/emoji.tsx";
import { organizationPage } from "./organization/organization.tsx";
import { statusPage } from "./organization/status.tsx";
import { realmPermissionsPage } from "./organization/permissions.tsx";
import { whoCanPage } from "./organization/who_can.tsx";
import { overviewPage } from "./overview.tsx";
import * as playgrounds from "./playgrounds.tsx";
import { deleteFieldPage, fieldPage, newFieldPage } from "./profile_fields/profile_field.tsx";
import { fieldsPage } from "./profile_fields/profile_fields.tsx";
import { shortcutsPage } from "./shortcuts.tsx";
import { statsPage } from "./stats/stats.tsx";
import { importUsersPage } from "./users/import.tsx";
import { newUserPage } from "./users/new_user.tsx";
import { userPage } from "./users/user.tsx";
import { deactivateUserPage, resetKeyPage, signInLinkPage } from "./users/user_actions.tsx";
import { userPermissionsPage } from "./users/user_permissions.tsx";
import { usersPage } from "./users/users.tsx";

/** The declared admin pages. */
export const DECLARED_PAGES: readonly DeclaredPage[] = [
  overviewPage,
  activityPage,
  auditPage,
  revertPage,
  newBulkActionPage,
  confirmBulkActionPage,
  bulkActionsPage,
  bulkActionPage,
  shortcutsPage,
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
  invitationsPage,
  invitationLinkPage,
  revokeEmailPage,
  revokeReusablePage,
  resendPage,
  inviteUrlPage,
  revokeManyPage,
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
  organizationPage,
  emojiPage,
  deactivateEmojiPage,
  statusPage,
  closingPage,
  removeDomainPage,
  realmPermissionsPage,
  whoCanPage,
  ...Object.values<DeclaredPage>(playgrounds),
  fieldsPage,
  newFieldPage,
  fieldPage,
  deleteFieldPage,
  statsPage,
  usersPage,
  newUserPage,
  importUsersPage,
  userPage,
  deactivateUserPage,
  resetKeyPage,
  signInLinkPage,
  userPermissionsPage,
];
