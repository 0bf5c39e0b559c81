import type { ActionContext, ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  passwordClientOf,
  requireStrongPassword,
  withPasswordTurn,
} from "@/lib/chat/people/auth/passwords.ts";
import { sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import { getRealm, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { toRoleEvents } from "@/lib/chat/organization/permissions/store.ts";
import { countJoining } from "@/lib/chat/organization/statistics/store.ts";
import { writeFirstSettings } from "@/lib/chat/people/user_settings/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { toUser } from "./api.ts";
import { auditUser, sendHiddenEmailEvent, sendUserEvent } from "@/lib/chat/organization/users/events.ts";
import {
  type BotType,
  type Caller,
  EMAIL_VISIBILITY,
  findEmailProblem,
  isBot,
  type OutgoingWebhook,
  requireEmail,
  requireFullName,
  requireOwner,
  ROLE,
  type Role,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "../put_user.ts";

export interface NewUser {
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  /** Kind and owner of a bot; absent for human users. */
  readonly bot?: {
    readonly type: BotType;
    readonly ownerId: number | null;
    readonly outgoingWebhook?: OutgoingWebhook | undefined;
  };
}

/**
 * Creates an account and sends its events. The caller validates the name and the address first.
 * @throws AppError BAD_REQUEST when the address is taken.
 */
export async function addUser(context: ChangeContext, user: NewUser): Promise<UserRecord> {
  const { app, tx, realm } = context;
  const now = app.clock.now();
  const record: UserRecord = {
    id: await tx.nextId("user"),
    delivery_email: user.deliveryEmail,
    email_visibility: EMAIL_VISIBILITY.everyone,
    full_name: user.fullName,
    role: user.role,
    is_active: true,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.ownerId ?? null,
    ...(user.bot?.outgoingWebhook === undefined ? {} : { outgoing_webhook: user.bot.outgoingWebhook }),
    date_joined: now,
    timezone: "",
    avatar_version: 1,
    avatar: null,
    is_imported_stub: false,
    password_hash: user.passwordHash,
    key_generation: 1,
    session_epoch: 1,
  };
  await putUser(tx, realm.id, record);
  if (!isBot(record)) {
    await writeFirstSettings(app, tx, { realmId: realm.id, userId: record.id });
    countJoining(tx, { realmId: realm.id, now }, { step: "joined" });
  }
  const visible = toUser(record, { app, realm, viewer: null });
  const person = isBot(record) ? visible : { ...visible, profile_data: {} };
  sendUserEvent(context, record, { type: "realm_user", op: "add", person });
  sendHiddenEmailEvent(context, record);
  sendEvents(context, toRoleEvents({ realm, now }, [{ before: null, after: record }]));
  return record;
}

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
  return await actAsAdmin(app, caller, async (context) => {
    const user = await addUserByAdmin(context, { deliveryEmail, fullName, role: ROLE.member, passwordHash });
    auditUser(context, { user, action: "created" });
    return user;
  });
}

/**
 * Creates a human within a transaction; name and address are validated before, and the caller writes the audit entry.
 * @throws AppError BAD_REQUEST for a taken or disallowed address; UNAUTHORIZED_PRINCIPAL for an owner whom
 * another role creates.
 */
export async function addUserByAdmin(context: ActionContext, user: NewUser): Promise<UserRecord> {
  const { tx, realm, actingUser } = context;
  if (user.role === ROLE.owner) requireOwner(actingUser, { field: "role" });
  await requireAllowedEmail(await getRealm(tx, realm.id), user.deliveryEmail);
  if (await tx.get(userKeys.byEmail(realm.id, user.deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", `Email '${user.deliveryEmail}' already in use`, { field: "email" });
  }
  return await addUser(context, user);
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
