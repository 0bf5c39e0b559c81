import { listKnownChannels } from "@/lib/chat/channels/list.ts";
import { readDefaultChannels } from "@/lib/chat/channels/defaults.ts";
import { type ChannelVisitor, hasContentAccess } from "@/lib/chat/channels/access.ts";
import { peekPermissionContext, type PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { mayInRealm } from "@/lib/chat/permissions/membership.ts";
import { mayAddOthers } from "@/lib/chat/subscriptions/rights.ts";
import { accessGroup } from "@/lib/chat/user_groups/access.ts";
import { ROLES, type UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminRequest } from "./admin_request.ts";

/** Something that an invitation can hold, by its id. */
export interface InvitationChoice {
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
}

/** What an administrator may offer to those whom he invites. */
export interface InvitationChoices {
  /** The numbers of the roles up to his own, the highest first. */
  readonly roles: readonly InvitationChoice[];
  readonly channels: readonly InvitationChoice[];
  readonly groups: readonly InvitationChoice[];
  /** The names of the default channels that he may know of. */
  readonly defaultNames: readonly string[];
  readonly mayEmail: boolean;
  readonly mayLink: boolean;
  /** Names of the channels that he may know of, archived ones among them. */
  readonly channelNames: ReadonlyMap<number, string>;
}

/** What the caller may offer at this moment. */
export async function readInvitationChoices(request: AdminRequest): Promise<InvitationChoices> {
  const { chat, realm, user, words } = request;
  const permissions = await peekPermissionContext(chat, realm);
  const [known, defaultIds] = await Promise.all([
    listKnownChannels(chat, permissions, user),
    readDefaultChannels(chat, realm.id),
  ]);
  const defaults = new Set(defaultIds);
  const open = known.filter((visitor) => isOffered(permissions, visitor, defaults));
  return {
    roles: ROLES.filter((role) => role >= user.role).map((role) => ({
      value: String(role),
      label: words.shell.roles[role],
    })),
    channels: open.map(({ channel: { id, name } }) => ({
      value: String(id),
      label: `#${name}`,
      note: defaults.has(id) ? words.invitations.isDefault : undefined,
    })),
    groups: listGroups(permissions, user),
    defaultNames: known.filter(({ channel }) => defaults.has(channel.id)).map(({ channel }) => channel.name),
    mayEmail: mayInRealm(permissions, "can_invite_users_group", user),
    mayLink: mayInRealm(permissions, "create_multiuse_invite_group", user),
    channelNames: new Map(known.map(({ channel }) => [channel.id, channel.name])),
  };
}

function isOffered(
  permissions: PermissionContext,
  visitor: ChannelVisitor,
  defaults: ReadonlySet<number>,
): boolean {
  return !visitor.channel.is_archived && hasContentAccess(permissions, visitor) &&
    (defaults.has(visitor.channel.id) || mayAddOthers(permissions, visitor));
}

function listGroups(permissions: PermissionContext, user: UserRecord): readonly InvitationChoice[] {
  return [...permissions.groups.values()]
    .filter(({ id, deactivated }) => !deactivated && mayAddMembers(permissions, id, user))
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .sort((one, other) => one.label < other.label ? -1 : 1);
}

function mayAddMembers(permissions: PermissionContext, id: number, user: UserRecord): boolean {
  try {
    accessGroup(permissions, id, { actingUser: user, rights: ["can_add_members_group"] });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
