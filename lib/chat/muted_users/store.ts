import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { type Caller, noSuchUser } from "../users/model.ts";
import { getActingUser, getUser } from "../users/store.ts";
import { mutedUsersKey, type MutedUsersRecord, NO_MUTED_USERS } from "./model.ts";

/** Reads the users an account has muted. */
export async function readMutedUsers(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  userId: number,
): Promise<MutedUsersRecord> {
  return await reads.read<MutedUsersRecord>(mutedUsersKey(realmId, userId)) ?? NO_MUTED_USERS;
}

/**
 * Returns the caller's muted users if the caller can mute or unmute the given user, who may be deactivated.
 * @throws AppError BAD_REQUEST for the caller, and alike for an unknown user and one whom the caller cannot access.
 */
export async function accessMutedUsers(
  app: ChatApp,
  tx: Tx,
  { caller: { realm, actingUser }, userId }: { caller: Caller; userId: number },
): Promise<MutedUsersRecord> {
  if (userId === actingUser.id) throw new AppError("BAD_REQUEST", "Cannot mute self");
  const target = await getUser(tx, realm.id, userId);
  const permissions = await readPermissionContext(app, tx, realm.id);
  if (!canAccessUser(permissions, await getActingUser(tx, realm.id, actingUser), target)) throw noSuchUser();
  return await tx.get<MutedUsersRecord>(mutedUsersKey(realm.id, actingUser.id)) ?? NO_MUTED_USERS;
}
