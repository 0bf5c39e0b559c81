import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { isBot, userKeys, type UserRecord } from "../users/user.ts";

/**
 * A bot as a transaction sees it.
 * @throws AppError BAD_REQUEST when no bot has this id.
 */
export async function getBot(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const bot = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  return bot;
}
