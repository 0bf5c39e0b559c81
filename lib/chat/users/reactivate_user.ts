import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ActionContext, type Caller, noSuchUser, requireCanManageUser } from "./model.ts";
import { getActingUser, getUser } from "./store.ts";
import { reactivateAccount } from "./change_user.ts";
import { auditUser } from "./events.ts";
import { findAccessibleUser } from "./get_accessible_user.ts";

/**
 * Reactivates a human or a bot; does nothing for an active account.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function reactivateUser(
  app: ChatApp,
  caller: Caller,
  id: number,
): Promise<void> {
  if (await findAccessibleUser(app, caller, id) === null) throw noSuchUser();
  const work = (tx: Tx) => applyReactivation({ app, tx, ...caller }, id);
  await transact(app.store, work);
}

/**
 * Reactivates an account within a transaction, with the events and the audit entry.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function applyReactivation(
  { app, tx, realm, actingUser }: ActionContext,
  id: number,
): Promise<void> {
  const actor = await getActingUser(tx, realm.id, actingUser);
  const target = await getUser(tx, realm.id, id);
  requireCanManageUser(actor, target);
  if (target.is_active) return;
  const context = { app, tx, realm };
  const user = await reactivateAccount(context, target, actor);
  const values = { before: { is_active: false }, after: { is_active: true } };
  auditUser(context, { actor, user, action: "reactivated", values });
}
