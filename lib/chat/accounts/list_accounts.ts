import type { ChatApp } from "../app.ts";
import { peekGroupWorld } from "../permissions/group_world.ts";
import { listUsers, readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { type AccountCaller, type AccountViewOptions, toAccount } from "./view.ts";

/** The accounts that the caller may know of, deactivated ones and bots included, by id; `ids` narrows them. */
export async function listAccounts(
  app: ChatApp,
  { realm, actingUser }: AccountCaller,
  { ids, options }: { ids: readonly number[] | undefined; options: AccountViewOptions },
) {
  const world = await peekGroupWorld(app, realm);
  const users = ids === undefined ? await listUsers(app, realm.id) : await readUsers(app, realm.id, ids);
  return users.filter((user) => canAccessUser(world, actingUser, user))
    .map((user) => toAccount(app, { realm, actingUser, options }, user));
}

async function readUsers(app: ChatApp, realmId: number, ids: readonly number[]): Promise<UserRecord[]> {
  const distinct = [...new Set(ids)].sort((one, other) => one - other);
  const users = await Promise.all(distinct.map((id) => readUser(app, realmId, id)));
  return users.filter((user) => user !== null);
}
