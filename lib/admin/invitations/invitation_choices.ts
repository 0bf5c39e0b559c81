import { listVisibleChannels, peekDefaultChannelIds } from "@/lib/chat/channels/store.ts";
import { type ChannelViewer, hasContentAccess } from "@/lib/chat/channels/model/access.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { hasRealmPermission, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import { mayAddMembers } from "@/lib/chat/user_groups/model/rules.ts";
import { ROLES, type UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A choice of an invitation's form, by id. */
export interface InvitationChoice {
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
}

/** Roles, channels and groups that an administrator may offer. */
export interface InvitationChoices {
  /** Numbers of the roles up to the administrator's own, highest first. */
  readonly roles: readonly InvitationChoice[];
  readonly channels: readonly InvitationChoice[];
  readonly groups: readonly InvitationChoice[];
  /** Names of the default channels visible to the administrator. */
  readonly defaultNames: readonly string[];
  readonly mayEmail: boolean;
  readonly mayLink: boolean;
  /** Names of the channels visible to the administrator, archived ones included. */
  readonly channelNames: ReadonlyMap<number, string>;
}

/** Reads the current choices of the caller. */
export async function readInvitationChoices(request: AdminRequest): Promise<InvitationChoices> {
  const { chat, realm, user, messages } = request;
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const [known, defaultIds] = await Promise.all([
    listVisibleChannels(chat, permissions, user),
    peekDefaultChannelIds(chat, realm.id),
  ]);
  const defaults = new Set(defaultIds);
  const open = known.filter((visitor) => isOffered(permissions, visitor, defaults));
  return {
    roles: ROLES.filter((role) => role >= user.role).map((role) => ({
      value: String(role),
      label: messages.shell.roles[role],
    })),
    channels: open.map(({ channel: { id, name } }) => ({
      value: String(id),
      label: `#${name}`,
      note: defaults.has(id) ? messages.invitations.isDefault : undefined,
    })),
    groups: listGroups(permissions, user),
    defaultNames: known.filter(({ channel }) => defaults.has(channel.id)).map(({ channel }) => channel.name),
    mayEmail: hasRealmPermission(permissions, "can_invite_users_group", user),
    mayLink: hasRealmPermission(permissions, "create_multiuse_invite_group", user),
    channelNames: new Map(known.map(({ channel }) => [channel.id, channel.name])),
  };
}

function isOffered(
  permissions: PermissionContext,
  visitor: ChannelViewer,
  defaults: ReadonlySet<number>,
): boolean {
  return !visitor.channel.is_archived && hasContentAccess(permissions, visitor) &&
    (defaults.has(visitor.channel.id) || canAddOthers(permissions, visitor));
}

function listGroups(permissions: PermissionContext, user: UserRecord): readonly InvitationChoice[] {
  return [...permissions.groups.values()]
    .filter(({ id, deactivated }) => !deactivated && mayAddMembers(permissions, id, user))
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .sort((one, other) => one.label < other.label ? -1 : 1);
}
