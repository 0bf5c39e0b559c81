import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { apiKeyOf } from "../users/api_key.ts";
import type { Caller } from "../users/caller.ts";
import { accountQueue } from "./account_queue.ts";
import { getBot } from "./get_bot.ts";
import { getActor, requireMayAdminister } from "./rights.ts";
import { rotateKey } from "./change_account.ts";
import { noteAccount } from "./note_account.ts";

/**
 * Gives a bot another key; the one before is worth nothing from then on.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function regenerateBotKey(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<{ api_key: string }> {
  return await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    const bot = await getBot(tx, realm.id, id);
    requireMayAdminister(actor, bot);
    if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    const user = await rotateKey({ app, tx, realm }, bot);
    noteAccount({ app, tx, realm }, { actor, user, what: "key_reset" });
    return { api_key: apiKeyOf(app, realm.id, user) };
  }, accountQueue(realm.id));
}
