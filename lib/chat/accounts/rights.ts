import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { requireAdmin, requireOwner } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { isAdmin, isOwner, ROLE, type Role, type UserRecord } from "../users/user.ts";

/**
 * Who acts, as he is at the moment of the change: one who was demoted or deactivated meanwhile does nothing more.
 * @throws AppError USER_DEACTIVATED.
 */
export async function getActor(tx: Tx, realmId: number, actingUser: UserRecord): Promise<UserRecord> {
  const actor = await getUser(tx, realmId, actingUser.id);
  if (!actor.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  return actor;
}

/**
 * Lets through who may change an account: its own owner where it is a bot, administrators, and for owners of the
 * organization their like.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export function requireMayAdminister(actor: UserRecord, target: UserRecord): void {
  if (target.bot_owner_id === actor.id) return;
  if (!isAdmin(actor)) throw new AppError("BAD_REQUEST", "Insufficient permission");
  if (isOwner(target)) requireOwner(actor);
}

/**
 * Lets through who may give an account a role: nobody gives one above his own, and owners are made and unmade by owners.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export function requireMayGrant(
  actor: UserRecord,
  { target, role }: { target: UserRecord; role: Role },
): void {
  if (role === ROLE.owner || isOwner(target)) requireOwner(actor);
  if (role < actor.role) requireAdmin(actor);
}
