import type { ActionContext, ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { enqueueErasures, type ErasureScope, isErasing } from "@/lib/chat/people/erasures.ts";
import { getRealm, type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { changeValues } from "@/lib/chat/people/profile_fields/change_values.ts";
import type { ProfileValueInput } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import type { AttemptLimits } from "@/lib/chat/people/user_settings/model/settings.ts";
import { AppError } from "@/lib/core/errors.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import {
  type Caller,
  isBot,
  mailboxOf,
  noSuchUser,
  requireAdmin,
  requireAllowedEmail,
  requireCanAssignRole,
  requireCanManageUser,
  requireEmail,
  requireFullName,
  type Role,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import {
  deactivateAccount,
  reactivateAccount,
  setUserEmail,
  setUserFullName,
  setUserRole,
} from "./change_user.ts";
import { auditUser, auditUserChanges } from "@/lib/chat/organization/users/events.ts";

import { act, findAccessibleUser, getAccessibleUser, getUser } from "@/lib/chat/organization/users/store.ts";
import { isLastOwner, ownedBots } from "../put_user.ts";

/** Changes of a user; undefined leaves a property unchanged. */
interface UserChanges {
  readonly full_name?: string | undefined;
  readonly role?: Role | undefined;
  readonly new_email?: string | undefined;
  /** Values of profile fields; null or empty clears a value. */
  readonly profile_data?: readonly ProfileValueInput[] | undefined;
}

interface UserUpdate {
  /** Id or address. */
  readonly name: string;
  readonly changes: UserChanges;
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function updateUser(
  app: ChatApp,
  caller: Caller,
  { name, changes }: UserUpdate,
): Promise<void> {
  const { id } = await getAccessibleUser(app, caller, name);
  await act(app, caller, async ({ realm: { id: realmId }, ...action }) => {
    const context = { ...action, realm: await getRealm(action.tx, realmId) };
    const stored = await getUser(action.tx, realmId, id);
    const user = await changeUser(context, stored, changes);
    if (changes.profile_data === undefined) return;
    requireAdmin(action.actingUser);
    if (isBot(user)) throw new AppError("BAD_REQUEST", "Bots have no profile fields.");
    await changeValues(context, user, changes.profile_data);
    if (changes.profile_data.length > 0) auditUser(context, { user, action: "profile_changed" });
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function changeUser(
  context: ActionContext,
  target: UserRecord,
  { full_name, role, new_email }: UserChanges,
): Promise<UserRecord> {
  const { actingUser: actor } = context;
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
  auditUserChanges(context, { before: target, after: user });
  return user;
}

/**
 * Returns the mail about the deactivation, with the administrator's comment unless it is empty.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
function toDeactivationMail(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  { user, comment }: { user: UserRecord; comment: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: `Your account at ${realm.name} was deactivated`,
    greeting: `Hello ${toMailName(user.full_name)},`,
    paragraphs: [
      `Your account at ${realm.name} was deactivated. You can no longer sign in.`,
      ...(comment === "" ? [] : ["The administrators provided the following comment:", comment]),
    ],
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/**
 * Deactivates a human and the bots they own. The background worker deletes what `options` name.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL, and RATE_LIMIT_HIT when the user has received too
 * many mails.
 */
export async function deactivateUser(
  app: ChatApp,
  caller: Caller,
  { name, options }: {
    readonly name: string;
    readonly options: {
      /** Comment in the mail to the user, which may be empty; undefined for no mail. */
      readonly comment?: string | undefined;
      readonly scope?: ErasureScope | undefined;
      /** Limits of mails to one recipient; null for none. */
      readonly limits: Pick<AttemptLimits, "consume"> | null;
    };
  },
): Promise<void> {
  const { realm, actingUser } = caller;
  const found = await getAccessibleUser(app, caller, name);
  if (options.comment !== undefined) {
    requireDeactivatable(actingUser, found);
    await options.limits?.consume("mail_recipient", mailboxOf(found.delivery_email));
  }
  await act(app, caller, async (context) => {
    const { tx } = context;
    const target = await getUser(tx, realm.id, found.id);
    requireDeactivatable(context.actingUser, target);
    await deactivateAndAudit(context, { target, scope: options.scope });
    if (options.comment === undefined) return;
    const mail = toDeactivationMail(app, realm, { user: target, comment: options.comment });
    enqueueMail(tx, mail, app.clock.now());
  });
  if (options.comment !== undefined) app.wakeMailer();
}

function requireDeactivatable(actor: UserRecord, target: UserRecord): void {
  if (isBot(target)) throw noSuchUser();
  requireCanManageUser(actor, target);
  if (!target.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
}

/** Deactivates an account and its bots, queues the deletion of their data, and records it in the audit log. */
export async function deactivateAndAudit(
  context: ChangeContext,
  { target, scope }: { target: UserRecord; scope?: ErasureScope | undefined },
): Promise<void> {
  const { app, tx, realm } = context;
  const botIds = isBot(target) ? [] : await ownedBots.get(tx, { realm, actingUser: target });
  const user = await deactivateAccount(context, target);
  const chosen = Object.entries(scope ?? {}).filter(([, isChosen]) => isChosen);
  const details = {
    ...(botIds.length === 0 ? {} : { bots: String(botIds.length) }),
    ...Object.fromEntries(chosen.map(([name]) => [name, "true"])),
  };
  auditUser(context, { user, action: "deactivated", details });
  if (scope === undefined || !isErasing(scope)) return;
  const userIds = [...botIds, target.id];
  enqueueErasures(tx, { realmId: realm.id, now: app.clock.now() }, { userIds, scope });
}

/** @throws AppError CANNOT_DEACTIVATE_LAST_USER for the only owner. */
export async function deactivateOwnUser(app: ChatApp, caller: Caller): Promise<void> {
  await act(app, caller, async (context) => {
    const { tx, realm, actingUser: target } = context;
    if (await isLastOwner(tx, realm.id, target)) {
      throw new AppError("CANNOT_DEACTIVATE_LAST_USER", "Cannot deactivate the only organization owner.", {
        extra: { is_last_owner: true, entity: "organization owner" },
      });
    }
    await deactivateAndAudit(context, { target });
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function reactivateUser(app: ChatApp, caller: Caller, id: number): Promise<void> {
  if (await findAccessibleUser(app, caller, id) === null) throw noSuchUser();
  await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const target = await getUser(tx, realm.id, id);
    requireCanManageUser(actingUser, target);
    if (target.is_active) return;
    const user = await reactivateAccount(context, target, actingUser);
    auditUser(context, { user, action: "reactivated" });
  });
}
