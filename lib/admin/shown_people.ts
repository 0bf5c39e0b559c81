import { readUser } from "@/lib/chat/organization/users/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { AdminRequest } from "./admin_request.ts";
import { canSeeEmail, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listVisibleChannels, readChannelViewer } from "@/lib/chat/channels/store.ts";
import { type ChannelViewer, hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";

/** Returns the accounts with some ids by name. Each is read separately, so there should be few. */
export async function readPeople(
  { chat, realm }: AdminRequest,
  ids: readonly number[],
): Promise<readonly UserRecord[]> {
  const users = await Promise.all(ids.map((id) => readUser(chat, realm.id, id)));
  return users.filter((user) => user !== null)
    .sort((one, other) => compareNames(one.full_name, other.full_name));
}

/** Returns the address of an account; null when hidden from the viewer. */
export function addressFor(viewer: UserRecord, user: UserRecord): string | null {
  return canSeeEmail(viewer, user) ? user.delivery_email : null;
}

export function toAvatarPath({ id, avatar, avatar_version }: UserRecord): string {
  return `${avatar ?? `/avatar/${id}`}?version=${avatar_version}`;
}

/** Lists the channels visible to the administrator, by name; usually active ones only. */
export async function listShownChannels(
  { chat, user, readPermissions }: AdminRequest,
  { includeArchived = false } = {},
): Promise<readonly ChannelRecord[]> {
  const permissions = await readPermissions();
  const known = await listVisibleChannels(chat, permissions, user);
  return known.map(({ channel }) => channel).filter((channel) => includeArchived || !channel.is_archived);
}

/** Reads a channel that the user can see; null without one. */
export async function readVisibleChannel(
  { chat, realm, user, readPermissions }: AdminRequest,
  channelId: number,
): Promise<ChannelViewer | null> {
  const viewer = await readChannelViewer({ get: chat.reads.read }, { realmId: realm.id, channelId, user });
  return viewer !== null && hasMetadataAccess(await readPermissions(), viewer) ? viewer : null;
}
