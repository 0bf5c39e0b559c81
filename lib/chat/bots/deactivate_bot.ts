import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type Caller, requireCanManageUser } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { deactivateAndAudit } from "../users/deactivate_user.ts";
import { getBot } from "./store.ts";

/**
 * Deactivates a bot.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function deactivateBot(
  app: ChatApp,
  { realm, actingUser }: Caller,
  id: number,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const target = await getBot(tx, realm.id, id);
    requireCanManageUser(actor, target);
    if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    await deactivateAndAudit({ app, tx, realm }, { actor, target });
  });
}
