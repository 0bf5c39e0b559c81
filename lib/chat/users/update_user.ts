import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { changeValues, type ValueChange } from "../profile_fields/change_values.ts";
import type { ProfileValueInput } from "../profile_fields/model/field_data.ts";
import { getRealm } from "../organizations/store.ts";
import { requireAllowedEmail } from "./email_policy.ts";
import {
  type Caller,
  type ChangeContext,
  isBot,
  requireAdmin,
  requireCanAssignRole,
  requireCanManageUser,
  requireEmail,
  requireFullName,
  type Role,
  type UserRecord,
} from "./model.ts";
import { getActingUser, getUser } from "./store.ts";
import { setUserEmail, setUserFullName, setUserRole } from "./change_user.ts";
import { getAccessibleUser } from "./get_accessible_user.ts";
import { auditUser, auditUserChanges } from "./events.ts";

/** Changes of a user; undefined leaves a property unchanged. */
export interface UserChanges {
  readonly full_name: string | undefined;
  readonly role: Role | undefined;
  readonly new_email: string | undefined;
  /** Values of profile fields; null or empty clears a value. */
  readonly profile_data?: readonly ProfileValueInput[] | undefined;
}

/**
 * Updates a user. Administrators update everyone except owners, owners everyone, others their own bots.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateUser(
  app: ChatApp,
  caller: Caller,
  { name, changes }: { name: string; changes: UserChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  const { id } = await getAccessibleUser(app, caller, name);
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realmId, caller.actingUser);
    const target = await getUser(tx, realmId, id);
    const realm = await getRealm(tx, realmId);
    const user = await changeUser({ app, tx, realm }, { actor, target }, changes);
    if (changes.profile_data === undefined) return;
    await changeProfile({ app, tx, realm, actor, target: user }, changes.profile_data);
    if (changes.profile_data.length > 0) {
      auditUser({ app, tx, realm }, { actor, user, action: "profile_changed" });
    }
  });
}

/**
 * Changes a user's account, without profile data, within a transaction, with the events and audit entries.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function changeUser(
  context: ChangeContext,
  { actor, target }: { actor: UserRecord; target: UserRecord },
  { full_name, role, new_email }: UserChanges,
): Promise<UserRecord> {
  requireCanManageUser(actor, target);
  let user = target;
  if (role !== undefined && role !== target.role) {
    requireCanAssignRole(actor, { target, role });
    user = await setUserRole(context, user, role);
  }
  if (full_name !== undefined && full_name !== user.full_name) {
    user = await setUserFullName(context, user, requireFullName(full_name));
  }
  if (new_email !== undefined) {
    requireAdmin(actor);
    const email = requireEmail(new_email);
    if (email !== user.delivery_email) await requireAllowedEmail(context.realm, email);
    user = await setUserEmail(context, user, email);
  }
  auditUserChanges(context, actor, { before: target, after: user });
  return user;
}

/** Sets profile values for an administrator. */
async function changeProfile(change: ValueChange, data: readonly ProfileValueInput[]): Promise<void> {
  requireAdmin(change.actor);
  if (isBot(change.target)) throw new AppError("BAD_REQUEST", "Bots have no profile fields.");
  await changeValues(change, data);
}
