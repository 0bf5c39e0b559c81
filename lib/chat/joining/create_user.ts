import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { defaultChannelIds } from "@/lib/chat/channels/store.ts";
import { getRealm, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { auditUser } from "@/lib/chat/organization/users/events.ts";
import {
  type Caller,
  findEmailProblem,
  requireEmail,
  requireFullName,
  requireOwner,
  ROLE,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin } from "@/lib/chat/organization/users/store.ts";
import {
  passwordClientOf,
  requireStrongPassword,
  withPasswordTurn,
} from "@/lib/chat/people/auth/passwords.ts";
import { addUser, type NewUser } from "@/lib/chat/people/users/create_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import type { Key } from "@/lib/store/key.ts";
import { completeJoin, writePendingJoin } from "./invites/complete_join.ts";

/**
 * @throws AppError BAD_REQUEST for an invalid, taken or disallowed address, an invalid name or a weak
 * password; UNAUTHORIZED_PRINCIPAL for callers who are not administrators.
 */
export async function createUser(
  app: ChatApp,
  caller: Caller,
  newUser: { email: string; password: string; full_name: string },
): Promise<UserRecord> {
  const deliveryEmail = requireEmail(newUser.email);
  const fullName = requireFullName(newUser.full_name);
  await requireStrongPassword(newUser.password, [deliveryEmail, fullName]);
  const hash = () => app.passwords.hash(newUser.password);
  const passwordHash = await withPasswordTurn(
    app,
    passwordClientOf(caller.realm.id, caller.actingUser),
    hash,
  );
  const { user, pendingJoin } = await actAsAdmin(app, caller, async (context) => {
    const created = await addUserByAdmin(context, {
      deliveryEmail,
      fullName,
      role: ROLE.member,
      passwordHash,
    });
    auditUser(context, { user: created.user, action: "created" });
    return created;
  });
  // A worker completes a join that cannot be completed now.
  if (pendingJoin !== null) await afterCommit(() => completeJoin(app, pendingJoin));
  return user;
}

/** A new account, and the key of its pending join; null if there is nothing to join. */
export interface CreatedUser {
  readonly user: UserRecord;
  readonly pendingJoin: Key | null;
}

/**
 * Creates a human within a transaction; name and address are validated before, and the caller writes the audit entry.
 * The caller completes the join after the commit: the default channels, except for guests, and the welcome message.
 * @throws AppError BAD_REQUEST for a taken or disallowed address; UNAUTHORIZED_PRINCIPAL for an owner whom
 * another role creates.
 */
export async function addUserByAdmin(context: ActionContext, newUser: NewUser): Promise<CreatedUser> {
  const { app, tx, actingUser } = context;
  const realm = await getRealm(tx, context.realm.id);
  if (newUser.role === ROLE.owner) requireOwner(actingUser, { field: "role" });
  await requireAllowedEmail(realm, newUser.deliveryEmail);
  if (await tx.get(userKeys.byEmail(realm.id, newUser.deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", `Email '${newUser.deliveryEmail}' already in use`, { field: "email" });
  }
  const user = await addUser(context, newUser);
  // Guests see only the channels that they are added to, which is for the administrator to decide.
  const channel_ids = user.role === ROLE.guest ? [] : await defaultChannelIds.get(tx, realm.id);
  const isWelcomed = realm.settings.welcome_message_custom_text.trim() !== "";
  const pendingJoin = channel_ids.length > 0 || isWelcomed
    ? writePendingJoin(tx, app.clock.now(), {
      realm_id: realm.id,
      user_id: user.id,
      inviter_id: actingUser.id,
      offer_id: null,
      group_ids: [],
      channel_ids,
    })
    : null;
  return { user, pendingJoin };
}

/** The email policy of the organization applies to administrators too. */
async function requireAllowedEmail(realm: RealmRecord, email: string): Promise<void> {
  const problem = await findEmailProblem(realm, email);
  if (problem === null) return;
  const message = problem === "Outside your domain."
    ? `Email '${email}' not allowed in this organization`
    : problem === "Please use your real email address."
    ? "Disposable email addresses are not allowed in this organization"
    : problem;
  throw new AppError("BAD_REQUEST", message, { field: "email" });
}
