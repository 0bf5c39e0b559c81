import { readUser } from "@/lib/chat/organization/users/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import type { AdminRequest } from "./admin_request.ts";
import { canSeeEmail, type Role, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { listVisibleChannels } from "@/lib/chat/channels/store.ts";

/** A user in a list of names. */
export interface ShownPerson {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
}

/** Returns the accounts with some ids by name. Each is read separately, so there should be few. */
export async function readShownPeople(
  { chat, realm }: AdminRequest,
  ids: readonly number[],
): Promise<readonly ShownPerson[]> {
  const users = await Promise.all(ids.map((id) => readUser(chat, realm.id, id)));
  return users.filter((user) => user !== null)
    .map(({ id, full_name, is_active }) => ({ id, name: full_name, isActive: is_active }))
    .sort((one, other) => compareNames(one.name, other.name));
}

/** An account as lists and its page show it. */
export interface ShownAccount {
  readonly id: number;
  readonly name: string;
  /** Null when hidden from the viewer. */
  readonly address: string | null;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isSelf: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly joined: number;
}

/** Converts an account for the viewer. */
export function toShownAccount(user: UserRecord, viewer: UserRecord): ShownAccount {
  return {
    id: user.id,
    name: user.full_name,
    address: canSeeEmail(viewer, user) ? user.delivery_email : null,
    role: user.role,
    isActive: user.is_active,
    isSelf: user.id === viewer.id,
    joined: user.date_joined,
  };
}

/** Returns the path of an account's avatar. */
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
