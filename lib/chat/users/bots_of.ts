import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { isBot, userKeys, type UserRecord } from "./user.ts";

/** Active bots that one account may own: as many as can be deactivated together with it. */
export const MAX_BOTS = 80;

/** The ids of the active bots that an account owns, ascending, as a transaction sees them. */
export async function botsOf(tx: Tx, realmId: number, ownerId: number): Promise<readonly number[]> {
  return await tx.get<readonly number[]>(userKeys.bots(realmId, ownerId)) ?? [];
}

/**
 * Keeps the lists of bots right when a bot changes from `before`, null where it is new; people are in none.
 * @throws AppError BAD_REQUEST when the owner has as many bots as one may have.
 */
export async function noteBotOwner(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const from = before === null ? null : listedOwner(before);
  const to = listedOwner(user);
  if (from === to) return;
  if (from !== null) await remove(tx, userKeys.bots(realmId, from), user.id);
  if (to !== null) await add(tx, userKeys.bots(realmId, to), user.id);
}

/** In whose list an account stands; null for people, and for bots that are not active or have no owner. */
export function listedOwner(user: UserRecord): number | null {
  return isBot(user) && user.is_active ? user.bot_owner_id : null;
}

async function remove(tx: Tx, key: Key, botId: number): Promise<void> {
  const rest = (await tx.get<readonly number[]>(key) ?? []).filter((id) => id !== botId);
  if (rest.length === 0) tx.delete(key);
  else tx.set(key, rest);
}

async function add(tx: Tx, key: Key, botId: number): Promise<void> {
  const bots = await tx.get<readonly number[]>(key) ?? [];
  if (bots.length >= MAX_BOTS) {
    throw new AppError("BAD_REQUEST", `One account can own ${MAX_BOTS} active bots at most.`);
  }
  tx.set(key, [...bots, botId].sort((one, other) => one - other));
}
