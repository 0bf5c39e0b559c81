import { hasContentAccess, hasMetadataAccess } from "@/lib/chat/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "../admin_request.ts";
import {
  explainChannelPermissions,
  type ExplainedPermission,
  explainRealmPermissions,
} from "./explain_permissions.ts";

/** Permissions of one person, in the organization or in a channel. */
export interface ExplainedPerson {
  readonly name: string;
  readonly isActive: boolean;
  /** Whether the person can read the channel; true for permissions of the organization. */
  readonly canRead: boolean;
  readonly isArchived: boolean;
  /** All permissions, to choose one of them. */
  readonly choices: readonly { readonly setting: string; readonly label: string }[];
  /** The chosen permissions. */
  readonly permissions: readonly ExplainedPermission[];
}

/**
 * Explains the permissions of a user, or one of them; null when the user does not exist or the viewer cannot see
 * the channel.
 */
export async function explainPerson(
  request: AdminRequest,
  { userId, channelId, setting }: {
    readonly userId: number;
    /** Null for the permissions of the organization. */
    readonly channelId: number | null;
    /** Empty or unknown for all permissions. */
    readonly setting: string;
  },
): Promise<ExplainedPerson | null> {
  const { chat, realm } = request;
  const user = await readUser(chat, realm.id, userId);
  if (user === null) return null;
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const read = async (of: typeof user) =>
    channelId === null
      ? null
      : await readChannelViewer({ get: chat.reads.read }, { realmId: realm.id, channelId, user: of });
  const viewer = await read(user);
  const own = await read(request.user);
  if (channelId !== null && (own === null || !hasMetadataAccess(permissions, own))) return null;
  const all = viewer === null
    ? await explainRealmPermissions(request, permissions, user)
    : await explainChannelPermissions(request, permissions, viewer);
  const chosen = all.filter((one) => one.setting === setting);
  return {
    name: user.full_name,
    isActive: user.is_active,
    canRead: viewer === null || hasContentAccess(permissions, viewer),
    isArchived: viewer?.channel.is_archived === true,
    choices: all.map(({ setting, label }) => ({ setting, label })),
    permissions: chosen.length === 0 ? all : chosen,
  };
}
