import type { JsonList } from "@/lib/core/json_list.ts";
import { mapInSlices } from "@/lib/core/map_in_slices.ts";
import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { listProfileData, readProfileData } from "../profile_fields/store.ts";
import type { ProfileData } from "../profile_fields/model/field_data.ts";
import type { Caller, UserRecord } from "./model.ts";
import { listUsers, readUser, readUserList } from "./store.ts";
import { canAccessAllUsers, filterAccessible } from "../permissions/model/membership.ts";
import { toUserView, type UserViewOptions } from "./api.ts";
import { listUserTexts } from "./list_user_texts.ts";

/**
 * Returns the users the caller can access as the API shows them, sorted by id, including bots and deactivated
 * users. With `ids`, only these.
 */
export async function listUsersForCaller(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { ids, options }: { ids: readonly number[] | undefined; options: UserViewOptions },
): Promise<JsonList | readonly ReturnType<typeof toUserView>[]> {
  const permissions = await peekPermissionContext(app, realm);
  if (ids === undefined && canAccessAllUsers(permissions, actingUser)) {
    const listing = { list: await readUserList(app, realm.id), selection: "all", options } as const;
    return await listUserTexts(app, { realm, actingUser }, listing);
  }
  const users = ids === undefined ? await listUsers(app, realm.id) : await readUsers(app, realm.id, ids);
  const accessible = filterAccessible(permissions, actingUser, users);
  const profiles = options.include_custom_profile_fields
    ? await readProfiles(app, realm.id, ids === undefined ? undefined : accessible)
    : new Map<number, ProfileData>();
  const viewer = { realm, actingUser, options, getProfile: (id: number) => profiles.get(id) };
  return await mapInSlices(accessible, (user) => toUserView(app, viewer, user));
}

/** Reads the profile data of some users one by one, or of all users with one listing. */
async function readProfiles(
  app: ChatApp,
  realmId: number,
  users: readonly UserRecord[] | undefined,
): Promise<ReadonlyMap<number, ProfileData>> {
  if (users === undefined) return await listProfileData(app, realmId);
  const read = async ({ id }: UserRecord) => [id, await readProfileData(app, realmId, id)] as const;
  return new Map(await Promise.all(users.map(read)));
}

async function readUsers(app: ChatApp, realmId: number, ids: readonly number[]): Promise<UserRecord[]> {
  const distinct = [...new Set(ids)].sort((one, other) => one - other);
  const users = await Promise.all(distinct.map((id) => readUser(app, realmId, id)));
  return users.filter((user) => user !== null);
}
