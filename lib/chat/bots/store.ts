import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { isBot, userKeys, type UserRecord } from "../users/model.ts";

/** Maximum number of active bots per owner; they must fit into one transaction when deactivated together. */
export const MAX_BOTS = 80;

/** Reads the ids of the active bots a user owns within a transaction, ascending. */
export async function readBotIds(tx: Tx, realmId: number, ownerId: number): Promise<readonly number[]> {
  return await tx.get<readonly number[]>(userKeys.bots(realmId, ownerId)) ?? [];
}

/**
 * Updates the lists of bots by owner for a user changed from `before`, which is null for a new one. Ignores
 * humans.
 * @throws AppError BAD_REQUEST when the owner has too many bots.
 */
export async function updateBotIndex(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const from = before === null ? null : indexedOwnerId(before);
  const to = indexedOwnerId(user);
  if (from === to) return;
  if (from !== null) await removeBotId(tx, userKeys.bots(realmId, from), user.id);
  if (to !== null) await addBotId(tx, userKeys.bots(realmId, to), user.id);
}

/** Returns the owner whose list contains a user; null for humans, inactive bots and bots without an owner. */
export function indexedOwnerId(user: UserRecord): number | null {
  return isBot(user) && user.is_active ? user.bot_owner_id : null;
}

async function removeBotId(tx: Tx, key: Key, botId: number): Promise<void> {
  const rest = (await tx.get<readonly number[]>(key) ?? []).filter((id) => id !== botId);
  if (rest.length === 0) tx.delete(key);
  else tx.set(key, rest);
}

async function addBotId(tx: Tx, key: Key, botId: number): Promise<void> {
  const bots = await tx.get<readonly number[]>(key) ?? [];
  if (bots.length >= MAX_BOTS) {
    throw new AppError("BAD_REQUEST", `One account can own ${MAX_BOTS} active bots at most.`, {
      field: "bot_owner_id",
    });
  }
  tx.set(key, [...bots, botId].sort((one, other) => one - other));
}

/**
 * Returns a bot within a transaction.
 * @throws AppError BAD_REQUEST when no bot has this id.
 */
export async function getBot(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const bot = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  return bot;
}
