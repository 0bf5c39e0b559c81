import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { useFolder } from "../channel_folders/store.ts";
import { changePermissions, noteUses } from "../permissions/change.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import { requireOwner } from "../users/rights.ts";
import { isAdmin } from "../users/user.ts";
import { type ChannelVisitor, hasContentAccess } from "./access.ts";
import { listSubscribers, watchSubscribers } from "./audience.ts";
import { type ChannelRecord, foldChannelName } from "./channel.ts";
import { defaultChannels, setDefault } from "./defaults.ts";
import { toDescription } from "./description.ts";
import { requireChannelName, requireFreeName } from "./name.ts";
import type { ChannelChanges } from "./params.ts";
import { CHANNEL_PERMISSIONS, DELETE_PERMISSIONS, READ_PERMISSIONS } from "./permission_params.ts";
import { requireMayMake, requireMayOpenToWeb, requireOpenTopics, requirePossible } from "./privacy.ts";
import { toRetention } from "./retention.ts";
import { requireMaySetTopicsPolicy, requireTopicsFit } from "./topics_policy.ts";

/** A change of a channel on its way. */
export interface Edit {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly permissions: PermissionContext;
  /** The channel as it was, and who changes it. */
  readonly visitor: ChannelVisitor;
  readonly changes: ChannelChanges;
}

/** Checks one thing, and gives the channel as it is then. */
export type Step = (edit: Edit, channel: ChannelRecord) => ChannelRecord | Promise<ChannelRecord>;

/** The steps of a change in the reference's order; a refusal by any of them takes all of them back. */
export const UPDATE_STEPS: readonly Step[] = [
  changePrivacy,
  changeTopicsPolicy,
  requireTopicsForAll,
  changeDefault,
  changeRetention,
  changeUse,
  requireDeletePolicy,
  changeDescription,
  changeName,
  changeFolder,
  changeChannelPermissions,
];

async function changePrivacy({ app, tx, permissions, visitor, changes }: Edit, channel: ChannelRecord) {
  const { is_private, history_public_to_subscribers: history } = changes;
  const proposed = {
    invite_only: is_private ?? channel.invite_only,
    is_web_public: changes.is_web_public ?? channel.is_web_public,
    history_public_to_subscribers: history ??
      (is_private === undefined ? channel.history_public_to_subscribers : !is_private),
  };
  const isDefault = changes.is_default_stream ??
    (await defaultChannels(tx, permissions.realm.id)).includes(channel.id);
  requirePossible(proposed, { isDefault });
  // Who may not read a channel must not open it for himself, nor decide who reads what was written.
  if (is_private !== undefined || history !== undefined) requireContentAccess(permissions, visitor);
  if (is_private !== undefined) requireMayMake(permissions, visitor.user, proposed);
  if (changes.is_web_public === true) requireMayOpenToWeb(app, permissions, visitor.user);
  return { ...channel, ...proposed };
}

async function changeTopicsPolicy({ tx, permissions, visitor, changes }: Edit, channel: ChannelRecord) {
  const policy = changes.topics_policy;
  if (policy === undefined) return channel;
  requireMaySetTopicsPolicy(permissions, visitor.user, policy);
  await requireTopicsFit(tx, { realmId: permissions.realm.id, channelId: channel.id, policy });
  return { ...channel, topics_policy: policy };
}

function requireTopicsForAll({ permissions, changes }: Edit, channel: ChannelRecord) {
  if (changes.can_create_topic_group === undefined) {
    requireOpenTopics(permissions, channel, channel.permissions["can_create_topic_group"]);
  }
  return channel;
}

async function changeDefault({ tx, permissions, visitor, changes }: Edit, channel: ChannelRecord) {
  const isDefault = changes.is_default_stream;
  if (isDefault === undefined) return channel;
  if (!isAdmin(visitor.user)) {
    throw new AppError("BAD_REQUEST", "You do not have permission to change default channels.");
  }
  if (isDefault && channel.is_archived && changes.is_archived !== false) {
    throw new AppError("BAD_REQUEST", "An archived channel cannot be a default channel.");
  }
  await setDefault(tx, permissions, { channelId: channel.id, isDefault });
  return channel;
}

function changeRetention({ visitor, changes }: Edit, channel: ChannelRecord) {
  const sent = changes.message_retention_days;
  if (sent === undefined) return channel;
  requireOwner(visitor.user);
  return { ...channel, message_retention_days: toRetention(sent) };
}

/** A channel that comes back uses again what its permissions name, whatever became of that meanwhile. */
async function changeUse({ app, tx, permissions, changes }: Edit, channel: ChannelRecord) {
  if (changes.is_archived !== false) return channel;
  if (!channel.is_archived) throw new AppError("BAD_REQUEST", "Channel is not currently deactivated");
  await watchSubscribers(tx, permissions.realm.id, channel.id);
  if (channel.invite_only && (await listSubscribers(app, permissions.realm.id, channel.id)).length === 0) {
    throw new AppError("BAD_REQUEST", "Channel is private and have no subscribers");
  }
  const holder = { kind: "channel", id: channel.id, permissions: {} } as const;
  await noteUses(tx, permissions, { holder, after: channel.permissions });
  return { ...channel, is_archived: false };
}

function requireDeletePolicy({ permissions, visitor, changes }: Edit, channel: ChannelRecord) {
  const decidesDeletion = DELETE_PERMISSIONS.some((setting) => changes[setting] !== undefined);
  if (decidesDeletion && !mayInRealm(permissions, "can_set_delete_message_policy_group", visitor.user)) {
    throw insufficientPermission();
  }
  return channel;
}

function changeDescription({ changes }: Edit, channel: ChannelRecord) {
  if (changes.description === undefined) return channel;
  return { ...channel, description: toDescription(changes.description) };
}

async function changeName({ tx, permissions, changes }: Edit, channel: ChannelRecord) {
  const name = changes.new_name;
  if (name === undefined) return channel;
  if (name === channel.name) throw new AppError("BAD_REQUEST", "Channel already has that name.");
  requireChannelName(name);
  if (foldChannelName(name) !== foldChannelName(channel.name)) {
    await requireFreeName(tx, permissions.realm.id, name);
  }
  return { ...channel, name };
}

async function changeFolder({ tx, permissions, changes }: Edit, channel: ChannelRecord) {
  const folder_id = changes.folder_id;
  if (folder_id === undefined || folder_id === channel.folder_id) return channel;
  await useFolder(tx, permissions.realm.id, folder_id);
  return { ...channel, folder_id };
}

async function changeChannelPermissions({ tx, permissions, visitor, changes }: Edit, channel: ChannelRecord) {
  const { permissions: values, changed } = await changePermissions(tx, permissions, {
    holder: { ...channel, kind: "channel", isOutOfUse: channel.is_archived },
    updates: Object.fromEntries(CHANNEL_PERMISSIONS.map((setting) => [setting, changes[setting]])),
  });
  if (READ_PERMISSIONS.some((setting) => changed[setting] !== undefined)) {
    requireContentAccess(permissions, visitor);
  }
  requireOpenTopics(permissions, channel, values["can_create_topic_group"]);
  return { ...channel, permissions: values };
}

function requireContentAccess(permissions: PermissionContext, visitor: ChannelVisitor): void {
  if (hasContentAccess(permissions, visitor)) return;
  throw new AppError("BAD_REQUEST", "Channel content access is required.");
}
