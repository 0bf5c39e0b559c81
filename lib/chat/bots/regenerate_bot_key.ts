import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { deriveApiKey } from "../auth/model.ts";
import { type Caller, requireCanManageUser } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { getBot } from "./store.ts";
import { rotateApiKey } from "../auth/regenerate_api_key.ts";
import { auditUser } from "../users/events.ts";

/**
 * Replaces a bot's API key and returns the new one; the old one stops working.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function regenerateBotKey(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<{ api_key: string }> {
  return await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const bot = await getBot(tx, realm.id, id);
    requireCanManageUser(actor, bot);
    if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    const user = await rotateApiKey({ app, tx, realmId: realm.id }, bot);
    auditUser({ app, tx, realm }, { actor, user, action: "key_reset" });
    return { api_key: deriveApiKey(app, realm.id, user) };
  });
}
