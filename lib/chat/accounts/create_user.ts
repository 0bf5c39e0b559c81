import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { getRealm, type RealmRecord } from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { addUser } from "../permissions/add_user.ts";
import { addressProblem } from "../users/address_policy.ts";
import { requireEmail } from "../users/email.ts";
import { requireFullName } from "../users/full_name.ts";
import { requireStrongPassword } from "../users/password_policy.ts";
import { ROLE, userKeys, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { noteAccount } from "./note_account.ts";
import { getActor } from "./rights.ts";

/**
 * Makes an account for a person, a member whose password the administrator chose.
 * @throws AppError BAD_REQUEST for a bad or taken address, one that the organization does not take, a bad name or a weak password; UNAUTHORIZED_PRINCIPAL.
 */
export async function createUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
  wanted: { email: string; password: string; full_name: string },
): Promise<UserRecord> {
  const deliveryEmail = requireEmail(wanted.email);
  const fullName = requireFullName(wanted.full_name);
  await requireStrongPassword(wanted.password, [deliveryEmail, fullName]);
  const passwordHash = await app.passwords.hash(wanted.password);
  return await transact(app.store, async (tx) => {
    const actor = await getActor(tx, realm.id, actingUser);
    requireAdmin(actor);
    await requireAllowed(await getRealm(tx, realm.id), deliveryEmail);
    if (await tx.get(userKeys.byEmail(realm.id, deliveryEmail)) !== null) {
      throw new AppError("BAD_REQUEST", `Email '${deliveryEmail}' already in use`);
    }
    const person = { deliveryEmail, fullName, role: ROLE.member, passwordHash };
    const user = await addUser(app, tx, { realm, user: person });
    noteAccount({ app, tx, realm }, { actor, user, what: "created" });
    return user;
  }, accountQueue(realm.id));
}

/** The joining rules hold for administrators too. */
async function requireAllowed(realm: RealmRecord, email: string): Promise<void> {
  switch (await addressProblem(realm, email)) {
    case null:
      return;
    case "Outside your domain.":
      throw new AppError("BAD_REQUEST", `Email '${email}' not allowed in this organization`);
    case "Please use your real email address.":
      throw new AppError("BAD_REQUEST", "Disposable email addresses are not allowed in this organization");
    case "Email addresses containing + are not allowed.":
      throw new AppError("BAD_REQUEST", "Email addresses containing + are not allowed.");
  }
}
