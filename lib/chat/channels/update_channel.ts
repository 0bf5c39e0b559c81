import { actAsAdmin } from "../organization/users/store.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { announceChannelChanges } from "./announce_channels.ts";
import type { ActionContext, ChatApp } from "../organization/app.ts";
import { assignFolder } from "./channel_folders.ts";
import { changePermissions, permissionsOf, updateGroupUses } from "../organization/permissions/store.ts";
import {
  hasRealmPermission,
  insufficientPermission,
  type PermissionContext,
} from "../organization/permissions/model/membership.ts";
import { PERMISSIONS } from "../organization/permissions/model/registry.ts";
import { type Caller, isAdmin, requireOwner } from "../organization/users/model.ts";
import { realmKeys } from "../organization/organizations/model.ts";
import { type ChannelChanges, toDescription } from "./api.ts";
import { listSubscriberIds } from "./subscriptions/store.ts";
import {
  auditChannel,
  auditChannelUpdate,
  diffChannel,
  sendChannelUpdateEvents,
  sendToAudiences,
} from "./events.ts";
import {
  type ChannelViewer,
  hasContentAccess,
  invalidChannel,
  requireCanCreateChannel,
  requireCanMakeWebPublic,
  requireCanSetTopicsPolicy,
  requireConsistentPrivacy,
  requireTopicCreationForAll,
} from "../organization/channels/model/access.ts";
import {
  type ChangedChannel,
  type ChannelRecord,
  DELETE_PERMISSIONS,
  parseRetention,
  READ_PERMISSIONS,
  requireNewChannelName,
} from "../organization/channels/model/channel.ts";
import {
  channelNames,
  defaultChannelIds,
  getChannelToAdminister,
  getVisibleChannel,
  putChannel,
  requireNoNamedTopics,
} from "./store.ts";

/** New values of a channel, or a function that decides on them for the channel as it is in the commit. */
type WantedChanges = ChannelChanges | ((channel: ChannelRecord, isDefault: boolean) => ChannelChanges);

/**
 * Updates a channel, archived or not, all or nothing, and sends the events to users who have, gain or lose
 * metadata access. Announces the changes in the channel.
 * @throws AppError CHANNEL_ALREADY_EXISTS, EXPECTATION_MISMATCH, REQUEST_VARIABLE_INVALID,
 * SYSTEM_GROUP_REQUIRED, UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateChannel(
  app: ChatApp,
  caller: Caller,
  { channelId, changes }: { channelId: number; changes: WantedChanges },
): Promise<ChangedChannel> {
  const work = (tx: Tx) => changeChannel({ app, tx, ...caller }, { channelId, changes });
  const changed = await transact(app.store, work);
  await afterCommit(() => announceChannelChanges(app, caller, changed));
  return changed;
}

/**
 * Updates a channel within a transaction, with the events and the audit entries but without the announcement.
 * @throws AppError as `updateChannel`.
 */
export async function changeChannel(
  { app, tx, realm, actingUser, reverts }: ActionContext,
  { channelId, changes: wanted }: { channelId: number; changes: WantedChanges },
): Promise<ChangedChannel> {
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const viewer = await getChannelToAdminister(tx, permissions, { channelId, actingUser });
  const before = viewer.channel;
  const isDefault = async () => (await defaultChannelIds.get(tx, realm.id)).includes(channelId);
  const wasDefault = await isDefault();
  const changes = typeof wanted === "function" ? wanted(before, wasDefault) : wanted;
  let after = before;
  for (const step of UPDATE_STEPS) after = await step({ app, tx, permissions, viewer, changes }, after);
  if (diffChannel(permissions, before, after).length > 0) {
    putChannel(tx, permissions, after);
    await sendChannelUpdateEvents(app, tx, { permissions, before, after });
  }
  const audited = { before, after, wasDefault, isDefault: await isDefault() };
  auditChannelUpdate(tx, permissions, { actingUser, reverts, ...audited });
  return { before, after };
}

interface ChannelEdit {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly permissions: PermissionContext;
  readonly viewer: ChannelViewer;
  readonly changes: ChannelChanges;
}

/** Checks and applies one part of an update, and returns the resulting channel. */
type UpdateStep = (
  edit: ChannelEdit,
  channel: ChannelRecord,
) => ChannelRecord | Promise<ChannelRecord>;

/** The steps of an update in the reference's order; an error of any step rolls all of them back. */
const UPDATE_STEPS: readonly UpdateStep[] = [
  changePrivacy,
  changeTopicsPolicy,
  requireTopicsForAll,
  changeDefault,
  changeRetention,
  unarchive,
  requireDeletePolicy,
  changeDescription,
  changeName,
  changeFolder,
  changeChannelPermissions,
];

async function changePrivacy(
  { app, tx, permissions, viewer, changes }: ChannelEdit,
  channel: ChannelRecord,
) {
  const { is_private, history_public_to_subscribers: history } = changes;
  const proposed = {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: changes.is_web_public ?? channel.is_web_public,
    history_public_to_subscribers: history ??
      (is_private === undefined ? channel.history_public_to_subscribers : !is_private),
  };
  const isDefault = changes.is_default_stream ??
    (await defaultChannelIds.get(tx, permissions.realm.id)).includes(channel.id);
  requireConsistentPrivacy(proposed, { isDefault });
  // Without content access, a user must not gain it, nor decide who can read the history.
  if (is_private !== undefined || history !== undefined) requireContentAccess(permissions, viewer);
  if (is_private !== undefined) requireCanCreateChannel(permissions, viewer.user, proposed);
  if (changes.is_web_public === true) requireCanMakeWebPublic(app, permissions, viewer.user);
  return { ...channel, ...proposed };
}

async function changeTopicsPolicy(
  { tx, permissions, viewer, changes }: ChannelEdit,
  channel: ChannelRecord,
) {
  const policy = changes.topics_policy;
  if (policy === undefined) return channel;
  requireCanSetTopicsPolicy(permissions, viewer.user, policy);
  await requireNoNamedTopics(tx, { realmId: permissions.realm.id, channelId: channel.id, policy });
  return { ...channel, topics_policy: policy };
}

function requireTopicsForAll({ permissions, changes }: ChannelEdit, channel: ChannelRecord) {
  if (changes.can_create_topic_group === undefined) {
    requireTopicCreationForAll(permissions, channel, channel.permissions["can_create_topic_group"]);
  }
  return channel;
}

async function changeDefault({ tx, permissions, viewer, changes }: ChannelEdit, channel: ChannelRecord) {
  const isDefault = changes.is_default_stream;
  if (isDefault === undefined) return channel;
  if (!isAdmin(viewer.user)) {
    throw new AppError("BAD_REQUEST", "You do not have permission to change default channels.", {
      field: "is_default_stream",
    });
  }
  if (isDefault && channel.is_archived && changes.is_archived !== false) {
    throw new AppError("BAD_REQUEST", "An archived channel cannot be a default channel.", {
      field: "is_default_stream",
    });
  }
  await setDefaultChannel(tx, permissions, { channelId: channel.id, isDefault });
  return channel;
}

function changeRetention({ viewer, changes }: ChannelEdit, channel: ChannelRecord) {
  const sent = changes.message_retention_days;
  if (sent === undefined) return channel;
  requireOwner(viewer.user);
  return { ...channel, message_retention_days: parseRetention(sent) };
}

/** An unarchived channel uses the groups of its permissions again, whatever happened to them meanwhile. */
async function unarchive({ app, tx, permissions, changes }: ChannelEdit, channel: ChannelRecord) {
  if (changes.is_archived !== false) return channel;
  if (!channel.is_archived) throw new AppError("BAD_REQUEST", "Channel is not currently deactivated");
  if (channel.invite_only && (await listSubscriberIds(app, permissions.realm.id, channel.id)).length === 0) {
    throw new AppError("BAD_REQUEST", "Channel is private and have no subscribers");
  }
  const holder = { kind: "channel", id: channel.id, permissions: {} } as const;
  updateGroupUses(tx, permissions, { holder, after: channel.permissions });
  return { ...channel, is_archived: false };
}

function requireDeletePolicy({ permissions, viewer, changes }: ChannelEdit, channel: ChannelRecord) {
  const decidesDeletion = DELETE_PERMISSIONS.some((setting) => changes[setting] !== undefined);
  if (
    decidesDeletion && !hasRealmPermission(permissions, "can_set_delete_message_policy_group", viewer.user)
  ) {
    throw insufficientPermission();
  }
  return channel;
}

function changeDescription({ changes }: ChannelEdit, channel: ChannelRecord) {
  if (changes.description === undefined) return channel;
  return { ...channel, ...toDescription(changes.description) };
}

async function changeName({ tx, permissions, changes }: ChannelEdit, channel: ChannelRecord) {
  const name = changes.new_name;
  if (name === undefined) return channel;
  if (name === channel.name) throw new AppError("BAD_REQUEST", "Channel already has that name.");
  requireNewChannelName(name);
  await channelNames.change(tx, permissions.realm.id, { id: channel.id, before: channel.name, after: name });
  return { ...channel, name };
}

async function changeFolder({ tx, permissions, changes }: ChannelEdit, channel: ChannelRecord) {
  const folder_id = changes.folder_id;
  if (folder_id === undefined || folder_id === channel.folder_id) return channel;
  await assignFolder(tx, permissions.realm.id, folder_id);
  return { ...channel, folder_id };
}

function changeChannelPermissions(
  { tx, permissions, viewer, changes }: ChannelEdit,
  channel: ChannelRecord,
) {
  const { permissions: values, changed } = changePermissions(tx, permissions, {
    holder: { ...channel, kind: "channel", isInactive: channel.is_archived },
    updates: mapValues(PERMISSIONS.channel, (_, setting) => changes[setting]),
  });
  if (READ_PERMISSIONS.some((setting) => changed[setting] !== undefined)) {
    requireContentAccess(permissions, viewer);
  }
  requireTopicCreationForAll(permissions, channel, values["can_create_topic_group"]);
  return { ...channel, permissions: values };
}

function requireContentAccess(permissions: PermissionContext, viewer: ChannelViewer): void {
  if (hasContentAccess(permissions, viewer)) return;
  throw new AppError("BAD_REQUEST", "Channel content access is required.", { field: "is_private" });
}

/**
 * Archives a channel, unless it is archived already, and sends the events. It keeps its name, subscribers and
 * messages, but is neither a default channel nor the channel for announcements, and no longer uses the groups
 * of its permissions.
 * @throws AppError BAD_REQUEST.
 */
export async function archiveChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<ChangedChannel> {
  const { realm, actingUser } = caller;
  return await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const { channel } = await getChannelToAdminister(tx, permissions, { channelId, actingUser });
    const after = { ...channel, is_archived: true };
    if (channel.is_archived) return { before: channel, after };
    await setDefaultChannel(tx, permissions, { channelId, isDefault: false });
    clearAnnouncementChannel(tx, permissions, channelId);
    updateGroupUses(tx, permissions, { holder: { ...channel, kind: "channel" }, after: {} });
    putChannel(tx, permissions, after);
    await sendChannelUpdateEvents(app, tx, { permissions, before: channel, after });
    auditChannel(tx, permissions, { actingUser, channel, action: "channel_archived" });
    return { before: channel, after };
  });
}

function clearAnnouncementChannel(tx: Tx, permissions: PermissionContext, channelId: number): void {
  const { realm } = permissions;
  if (realm.settings.new_stream_announcements_stream_id !== channelId) return;
  const settings = { ...realm.settings, new_stream_announcements_stream_id: null };
  tx.set(realmKeys.realm(realm.id), { ...realm, settings });
  const data = { new_stream_announcements_stream_id: -1 };
  const event = { type: "realm", op: "update_dict", property: "default", data };
  sendToAudiences(tx, permissions, { event, audiences: ["everyone"] });
}

/**
 * Adds or removes a default channel and sends the event to all but guests; does nothing without a change.
 * @throws AppError BAD_REQUEST if there are too many.
 */
export async function setDefaultChannel(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, isDefault }: { channelId: number; isDefault: boolean },
): Promise<void> {
  const before = await defaultChannelIds.get(tx, permissions.realm.id);
  if (before.includes(channelId) === isDefault) return;
  const { id: realmId } = permissions.realm;
  const after = await defaultChannelIds.toggle(tx, realmId, { id: channelId, isIn: isDefault });
  sendDefaultChannelsEvent(tx, permissions, after);
}

function sendDefaultChannelsEvent(tx: Tx, permissions: PermissionContext, ids: readonly number[]): void {
  const event = { type: "default_streams", default_streams: ids };
  sendToAudiences(tx, permissions, { event, audiences: ["members"] });
}

/**
 * Adds or removes a default channel; does nothing if it already is one, but sends the event even if it was none.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateDefaultChannels(
  app: ChatApp,
  caller: Caller,
  channelId: number,
  isDefault: boolean,
): Promise<void> {
  await actAsAdmin(app, caller, async ({ tx, realm, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const channel = await getVisibleChannel(tx, permissions, { channelId, user });
    if (channel.is_archived) throw invalidChannel();
    if (isDefault && channel.invite_only) {
      throw new AppError("BAD_REQUEST", "Private channels cannot be made default.");
    }
    const before = await defaultChannelIds.get(tx, realm.id);
    if (before.includes(channelId) === isDefault) {
      if (!isDefault) sendDefaultChannelsEvent(tx, permissions, before);
      return;
    }
    await setDefaultChannel(tx, permissions, { channelId, isDefault });
    const action = isDefault ? "default_channel_added" : "default_channel_removed";
    auditChannel(tx, permissions, { actingUser: user, channel, action });
  });
}
