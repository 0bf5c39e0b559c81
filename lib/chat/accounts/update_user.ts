import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { requireEmail } from "../users/email.ts";
import { requireFullName } from "../users/full_name.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import type { Role, UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { type AccountChange, changeEmail, changeFullName, changeRole } from "./change_account.ts";
import { findAccount } from "./get_account.ts";
import { getActor, requireMayAdminister, requireMayGrant } from "./rights.ts";
import type { AccountCaller } from "./view.ts";

/** What is to be other than it is; undefined leaves a thing alone. */
export interface UserChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly new_email: string | undefined;
}

/**
 * Changes somebody's account: administrators anybody's, but an owner's only owners; others those of their bots.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateUser(
  app: ChatApp,
  caller: AccountCaller,
  { name, changes }: { name: string; changes: UserChanges },
): Promise<void> {
  const { realm, actingUser } = caller;
  const { id } = await findAccount(app, caller, name);
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, id);
    requireMayAdminister(actor, target);
    await applyChanges({ app, tx, realm }, { actor, target }, changes);
  }, accountQueue(realm.id));
}

async function applyChanges(
  change: AccountChange,
  { actor, target }: { actor: UserRecord; target: UserRecord },
  { full_name, role, new_email }: UserChanges,
): Promise<void> {
  let user = target;
  if (role !== undefined && role !== target.role) {
    requireMayGrant(actor, { target, role });
    user = await changeRole(change, user, role);
  }
  if (full_name !== undefined) user = await changeFullName(change, user, requireFullName(full_name));
  if (new_email !== undefined) {
    requireAdmin(actor);
    user = await changeEmail(change, user, requireEmail(new_email));
  }
}
