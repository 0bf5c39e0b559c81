import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { getRealm } from "../organizations/store.ts";
import {
  type Caller,
  type ChangeContext,
  requireEmail,
  requireFullName,
  requireOwner,
  ROLE,
  userKeys,
  type UserRecord,
} from "./model.ts";
import { addUser, type NewUser } from "../permissions/add_user.ts";
import { findEmailProblem } from "./email_policy.ts";
import { requireStrongPassword } from "../auth/password_policy.ts";
import { passwordClientOf, withPasswordTurn } from "../auth/password_turn.ts";
import { getActingAdmin } from "./store.ts";
import { auditUser } from "./events.ts";

/**
 * Creates a human member with the password chosen by an administrator.
 * @throws AppError BAD_REQUEST for an invalid, taken or disallowed address, an invalid name or a weak
 * password; UNAUTHORIZED_PRINCIPAL for callers who are not administrators.
 */
export async function createUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
  newUser: { email: string; password: string; full_name: string },
): Promise<UserRecord> {
  const deliveryEmail = requireEmail(newUser.email);
  const fullName = requireFullName(newUser.full_name);
  await requireStrongPassword(newUser.password, [deliveryEmail, fullName]);
  const hash = () => app.passwords.hash(newUser.password);
  const passwordHash = await withPasswordTurn(app, passwordClientOf(realm.id, actingUser), hash);
  return await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, { realm, actingUser });
    const user = { deliveryEmail, fullName, role: ROLE.member, passwordHash };
    return await addUserByAdmin({ app, tx, realm }, { actor, user });
  });
}

/**
 * Creates a human for an administrator within a transaction, with the events and the audit entry. The caller validates
 * the name and the address first.
 * @throws AppError BAD_REQUEST for a taken or disallowed address; UNAUTHORIZED_PRINCIPAL for an owner whom another role
 * creates.
 */
export async function addUserByAdmin(
  { app, tx, realm }: ChangeContext,
  { actor, user }: { actor: UserRecord; user: NewUser },
): Promise<UserRecord> {
  if (user.role === ROLE.owner) requireOwner(actor, { field: "role" });
  await requireAllowedEmail(await getRealm(tx, realm.id), user.deliveryEmail);
  if (await tx.get(userKeys.byEmail(realm.id, user.deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", `Email '${user.deliveryEmail}' already in use`, { field: "email" });
  }
  const added = await addUser(app, tx, { realm, user });
  auditUser({ app, tx, realm }, { actor, user: added, action: "created" });
  return added;
}

/** The email policy of the organization applies to administrators too. */
async function requireAllowedEmail(realm: RealmRecord, email: string): Promise<void> {
  switch (await findEmailProblem(realm, email)) {
    case null:
      return;
    case "Outside your domain.":
      throw new AppError("BAD_REQUEST", `Email '${email}' not allowed in this organization`, {
        field: "email",
      });
    case "Please use your real email address.":
      throw new AppError("BAD_REQUEST", "Disposable email addresses are not allowed in this organization", {
        field: "email",
      });
    case "Email addresses containing + are not allowed.":
      throw new AppError("BAD_REQUEST", "Email addresses containing + are not allowed.", { field: "email" });
  }
}
