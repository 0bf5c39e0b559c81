import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { changeValues, type ValueChange } from "../profile_fields/change_values.ts";
import type { SentValue } from "../profile_fields/params.ts";
import { getRealm } from "../realm/realm.ts";
import { requireAllowedAddress } from "../users/address_policy.ts";
import type { Caller } from "../users/caller.ts";
import { requireEmail } from "../users/email.ts";
import { requireFullName } from "../users/full_name.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { isBot, type Role, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { type AccountChange, changeEmail, changeFullName, changeRole } from "./change_account.ts";
import { findAccount } from "./get_account.ts";
import { noteAccount, noteAccountChange } from "./note_account.ts";
import { getActor, requireMayAdminister, requireMayGrant } from "./rights.ts";

/** What is to be other than it is; undefined leaves a thing alone. */
export interface UserChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly new_email: string | undefined;
  /** Values of profile fields; those that are null or empty are cleared. */
  readonly profile_data?: readonly SentValue[] | undefined;
}

/**
 * Changes somebody's account: administrators anybody's, but an owner's only owners; others those of their bots.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateUser(
  app: ChatApp,
  caller: Caller,
  { name, changes }: { name: string; changes: UserChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  const { id } = await findAccount(app, caller, name);
  await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realmId, caller.actingUser);
    const target = await getUser(tx, realmId, id);
    requireMayAdminister(actor, target);
    const realm = await getRealm(tx, realmId);
    const user = await applyChanges({ app, tx, realm }, { actor, target }, changes);
    noteAccountChange({ app, tx, realm }, actor, { before: target, after: user });
    if (changes.profile_data === undefined) return;
    await changeProfile({ app, tx, realm, actor, target: user }, changes.profile_data);
    if (changes.profile_data.length > 0) {
      noteAccount({ app, tx, realm }, { actor, user, what: "profile_changed" });
    }
  }, accountQueue(realmId));
}

async function applyChanges(
  change: AccountChange,
  { actor, target }: { actor: UserRecord; target: UserRecord },
  { full_name, role, new_email }: UserChanges,
): Promise<UserRecord> {
  let user = target;
  if (role !== undefined && role !== target.role) {
    requireMayGrant(actor, { target, role });
    user = await changeRole(change, user, role);
  }
  if (full_name !== undefined) user = await changeFullName(change, user, requireFullName(full_name));
  if (new_email !== undefined) {
    requireAdmin(actor);
    const email = requireEmail(new_email);
    if (email !== user.delivery_email) await requireAllowedAddress(change.realm, email);
    user = await changeEmail(change, user, email);
  }
  return user;
}

/** Whatever is empty clears a value here, whether its field could have it or not. */
async function changeProfile(change: ValueChange, data: readonly SentValue[]): Promise<void> {
  requireAdmin(change.actor);
  if (isBot(change.target)) throw new AppError("BAD_REQUEST", "Bots have no profile fields.");
  const isEmpty = (value: SentValue["value"]) => value === "" || Array.isArray(value) && value.length === 0;
  await changeValues(change, data.map(({ id, value }) => ({ id, value: isEmpty(value) ? null : value })));
}
