import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readBotIds } from "../bots/store.ts";
import { type Caller, type ChangeContext, isBot, requireCanManageUser, type UserRecord } from "./model.ts";
import { accountsLock, getActingUser, getUser, isLastOwner } from "./store.ts";
import { deactivateAccount } from "./change_user.ts";
import { getAccessibleUser, noSuchUser } from "./get_accessible_user.ts";
import { auditUser } from "./events.ts";

/**
 * Deactivates a human and the bots they own.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function deactivateUser(app: ChatApp, caller: Caller, name: string): Promise<void> {
  const { realm, actingUser } = caller;
  const { id } = await getAccessibleUser(app, caller, name);
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, id);
    if (isBot(target)) throw noSuchUser();
    requireCanManageUser(actor, target);
    if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    await deactivateAndAudit({ app, tx, realm }, { actor, target });
  }, accountsLock(realm.id));
}

/** Deactivates an account and its bots, and records it in the audit log. */
export async function deactivateAndAudit(
  context: ChangeContext,
  { actor, target }: { actor: UserRecord; target: UserRecord },
): Promise<void> {
  const botCount = isBot(target) ? 0 : (await readBotIds(context.tx, context.realm.id, target.id)).length;
  const user = await deactivateAccount(context, target);
  const details = botCount === 0 ? {} : { bots: String(botCount) };
  auditUser(context, { actor, user, action: "deactivated", details });
}

/**
 * Deactivates the caller's own account and its bots.
 * @throws AppError CANNOT_DEACTIVATE_LAST_USER for the only owner.
 */
export async function deactivateOwnUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    if (await isLastOwner(tx, realm.id, actor)) {
      throw new AppError("CANNOT_DEACTIVATE_LAST_USER", "Cannot deactivate the only organization owner.", {
        extra: { is_last_owner: true, entity: "organization owner" },
      });
    }
    await deactivateAndAudit({ app, tx, realm }, { actor, target: actor });
  }, accountsLock(realm.id));
}
