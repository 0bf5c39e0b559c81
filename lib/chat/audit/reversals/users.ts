import { applyReactivation, changeUser, deactivateAndAudit } from "@/lib/chat/users/update_user.ts";
import { isBot, requireCanManageUser, ROLES, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { getActingUser, getUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { pickChanged, type Reversal, type RevertContext, targetId } from "./reversal.ts";

/** Reverts changes of an account's role and name, deactivating and reactivating. */
export const userReversal: Reversal = {
  async read(context) {
    const key = userKeys.user(context.realm.id, targetId(context));
    const user = Number.isSafeInteger(targetId(context)) ? await context.tx.get<UserRecord>(key) : null;
    if (user === null) return null;
    const { full_name, role, is_active } = user;
    return pickChanged(context, { full_name, role, is_active });
  },
  async apply(context, { is_active, role, full_name }) {
    if (is_active === true) await applyReactivation(context, targetId(context));
    else if (is_active === false) await deactivate(context);
    else {
      const { app, tx, realm, actingUser } = context;
      const actor = await getActingUser(tx, realm.id, actingUser);
      const target = await getUser(tx, realm.id, targetId(context));
      await changeUser({ app, tx, realm }, { actor, target }, {
        role: ROLES.find((known) => known === role),
        full_name: typeof full_name === "string" ? full_name : undefined,
        new_email: undefined,
      });
    }
    return null;
  },
};

async function deactivate(context: RevertContext): Promise<void> {
  const { app, tx, realm, actingUser } = context;
  const actor = await getActingUser(tx, realm.id, actingUser);
  const target = await getUser(tx, realm.id, targetId(context));
  requireCanManageUser(actor, target);
  if (target.id === actor.id && !isBot(target)) {
    throw new AppError("BAD_REQUEST", "You cannot deactivate your own account here.");
  }
  await deactivateAndAudit({ app, tx, realm }, { actor, target });
}
