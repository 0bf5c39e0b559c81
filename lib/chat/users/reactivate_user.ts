import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type Caller, requireCanManageUser } from "./model.ts";
import { accountsLock, getActingUser, getUser } from "./store.ts";
import { reactivateAccount } from "./change_user.ts";
import { auditUser } from "./events.ts";
import { findAccessibleUser, noSuchUser } from "./get_accessible_user.ts";

/**
 * Reactivates a human or a bot; does nothing for an active account.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function reactivateUser(
  app: ChatApp,
  caller: Caller,
  id: number,
): Promise<void> {
  const { realm, actingUser } = caller;
  if (await findAccessibleUser(app, caller, id) === null) throw noSuchUser();
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, id);
    requireCanManageUser(actor, target);
    if (target.is_active) return;
    const context = { app, tx, realm };
    const user = await reactivateAccount(context, target, actor);
    auditUser(context, { actor, user, action: "reactivated" });
  }, accountsLock(realm.id));
}
