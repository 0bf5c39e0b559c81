import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { deriveApiKey } from "../auth/model.ts";
import { type Caller, isBot } from "../users/model.ts";
import { readUser } from "../users/store.ts";

/**
 * Returns the API key of a bot to its owner. Administrators can only regenerate the keys of others' bots: that
 * is audited, and the owner notices.
 * @throws AppError BAD_REQUEST.
 */
export async function getBotKey(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<{ api_key: string }> {
  const bot = await readUser(app, realm.id, id);
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  if (bot.bot_owner_id !== actingUser.id) throw new AppError("BAD_REQUEST", "Insufficient permission");
  if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return { api_key: deriveApiKey(app, realm.id, bot) };
}
