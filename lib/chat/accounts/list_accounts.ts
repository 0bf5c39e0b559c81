import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { listProfileData, type ProfileData, readProfileData } from "../profile_fields/values.ts";
import type { Caller } from "../users/caller.ts";
import { listUsers, readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { type AccountViewOptions, toAccount } from "./view.ts";

/** The accounts that the caller may know of, deactivated ones and bots included, by id; `ids` narrows them. */
export async function listAccounts(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { ids, options }: { ids: readonly number[] | undefined; options: AccountViewOptions },
) {
  const permissions = await peekPermissionContext(app, realm);
  const users = ids === undefined ? await listUsers(app, realm.id) : await readUsers(app, realm.id, ids);
  const shown = users.filter((user) => canAccessUser(permissions, actingUser, user));
  const profiles = options.include_custom_profile_fields
    ? await readProfiles(app, realm.id, ids === undefined ? undefined : shown)
    : new Map<number, ProfileData>();
  const viewer = { realm, actingUser, options, profileOf: (id: number) => profiles.get(id) };
  return shown.map((user) => toAccount(app, viewer, user));
}

/** The values of some accounts one by one, or of all together. */
async function readProfiles(
  app: ChatApp,
  realmId: number,
  some: readonly UserRecord[] | undefined,
): Promise<ReadonlyMap<number, ProfileData>> {
  if (some === undefined) return await listProfileData(app, realmId);
  const read = async ({ id }: UserRecord) => [id, await readProfileData(app, realmId, id)] as const;
  return new Map(await Promise.all(some.map(read)));
}

async function readUsers(app: ChatApp, realmId: number, ids: readonly number[]): Promise<UserRecord[]> {
  const distinct = [...new Set(ids)].sort((one, other) => one - other);
  const users = await Promise.all(distinct.map((id) => readUser(app, realmId, id)));
  return users.filter((user) => user !== null);
}
