import type { Tx } from "@/lib/kv/transact.ts";
import { isBot, isOwner, userKeys, type UserRecord } from "./user.ts";

/** Whether an account is one that an organization must have: an active person who owns it. */
export function isActiveOwner(user: UserRecord): boolean {
  return user.is_active && isOwner(user) && !isBot(user);
}

/** Keeps the count of owners right when an account changes from `before`, null where it is new. */
export async function countOwner(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const change = Number(isActiveOwner(user)) - Number(before !== null && isActiveOwner(before));
  if (change === 0) return;
  const key = userKeys.ownerCount(realmId);
  tx.set(key, (await tx.get<number>(key) ?? 0) + change);
}

/**
 * Whether nobody else owns the organization. All changes of owners meet in one number, so that of two that would leave
 * none, one is run again and sees it.
 */
export async function isLastOwner(tx: Tx, realmId: number, user: UserRecord): Promise<boolean> {
  return isActiveOwner(user) && (await tx.get<number>(userKeys.ownerCount(realmId)) ?? 0) <= 1;
}
