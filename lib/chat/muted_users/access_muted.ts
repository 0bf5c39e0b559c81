import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { mutedUsersKey, type MutedUsersRecord, NOBODY_MUTED, toMutedUsers } from "../users/muted_user.ts";
import { getUser } from "../users/store.ts";

/**
 * Whom the caller mutes so far, if he may mute or let off this account, whoever it is and whether it is in use.
 * @throws AppError BAD_REQUEST for himself, nobody, and somebody of whom he may not know.
 */
export async function accessMuted(
  app: ChatApp,
  tx: Tx,
  { muter: { realm, actingUser }, userId }: { muter: Caller; userId: number },
): Promise<MutedUsersRecord> {
  if (userId === actingUser.id) throw new AppError("BAD_REQUEST", "Cannot mute self");
  const target = await getUser(tx, realm.id, userId);
  const permissions = await readPermissionContext(app, tx, realm.id);
  if (!canAccessUser(permissions, await getUser(tx, realm.id, actingUser.id), target)) {
    throw new AppError("BAD_REQUEST", "Insufficient permission");
  }
  return await tx.get<MutedUsersRecord>(mutedUsersKey(realm.id, actingUser.id)) ?? NOBODY_MUTED;
}

/** Puts down whom the caller mutes, and tells him alone. */
export function putMuted(
  { clock }: Pick<ChatApp, "clock">,
  tx: Tx,
  { muter: { realm, actingUser }, record }: { muter: Caller; record: MutedUsersRecord },
): void {
  tx.set(mutedUsersKey(realm.id, actingUser.id), record);
  sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
    event: { type: "muted_users", muted_users: toMutedUsers(record) },
    audience: [actingUser.id],
  });
}

/** The line in which an account's changes of whom it mutes wait for each other within this process. */
export function mutedQueue({ realm, actingUser }: Caller): string {
  return `muted users ${realm.id} ${actingUser.id}`;
}
