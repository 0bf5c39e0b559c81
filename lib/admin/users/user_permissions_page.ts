import { hasContentAccess, hasMetadataAccess } from "@/lib/chat/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { listShownChannels } from "../shown_channels.ts";
import {
  explainChannelPermissions,
  type ExplainedPermission,
  explainRealmPermissions,
} from "../permissions/explain_permissions.ts";

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

/** Data of the page that explains an account's permissions. */
export interface UserPermissionsData {
  readonly id: number;
  readonly person: ExplainedPerson;
  readonly channels: readonly { readonly id: number; readonly name: string }[];
  /** Id of the chosen channel; empty for the organization. */
  readonly channel: string;
  /** The chosen permission; empty for all. */
  readonly setting: string;
}

/** The page that explains an account's permissions. */
export const userPermissionsPage: AdminPageSpec<UserPermissionsData> = { load: loadUserPermissions };

async function loadUserPermissions(request: AdminRequest): Promise<UserPermissionsData | null> {
  const { chat, realm, query } = request;
  const user = await readUser(chat, realm.id, pathId(request));
  if (user === null || user.is_system_bot === true) return null;
  const asked = query.get("channel") ?? "";
  const channels = await listShownChannels(request);
  const chosen = channels.find(({ id }) => String(id) === asked);
  const setting = query.get("permission") ?? "";
  const person = await explainPerson(request, { userId: user.id, channelId: chosen?.id ?? null, setting });
  if (person === null) return null;
  return {
    id: user.id,
    person,
    channels: channels.map(({ id, name }) => ({ id, name })),
    channel: chosen === undefined ? "" : String(chosen.id),
    setting: person.choices.some((choice) => choice.setting === setting) ? setting : "",
  };
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
  const permissions = await peekPermissionContext(chat, realm);
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
