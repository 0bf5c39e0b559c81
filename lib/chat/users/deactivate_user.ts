import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { ChatApp } from "../app.ts";
import { readBotIds } from "../bots/store.ts";
import { enqueueErasures, type ErasureScope, isErasing } from "../erasures.ts";
import type { AttemptLimits } from "../user_settings/model/account.ts";
import {
  type Caller,
  type ChangeContext,
  isBot,
  mailboxOf,
  noSuchUser,
  requireCanManageUser,
  type UserRecord,
} from "./model.ts";
import { getActingUser, getUser, isLastOwner } from "./store.ts";
import { deactivateAccount } from "./change_user.ts";
import { toDeactivationMail } from "./deactivation_mail.ts";
import { getAccessibleUser } from "./get_accessible_user.ts";
import { auditUser } from "./events.ts";

/** Options of deactivating a user. */
export interface DeactivationOptions {
  /** Comment in the mail to the user, which may be empty; undefined for no mail. */
  readonly comment?: string | undefined;
  /** Data to delete of the user and of their bots. */
  readonly scope?: ErasureScope | undefined;
  /** Limits of mails to one recipient; null for none. */
  readonly limits: Pick<AttemptLimits, "consume"> | null;
}

/**
 * Deactivates a human and the bots they own. The background worker deletes what `options` name.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL, and RATE_LIMIT_HIT when the user has received too
 * many mails.
 */
export async function deactivateUser(
  app: ChatApp,
  caller: Caller,
  { name, options }: { name: string; options: DeactivationOptions },
): Promise<void> {
  const { realm, actingUser } = caller;
  const found = await getAccessibleUser(app, caller, name);
  if (options.comment !== undefined) {
    requireDeactivatable(actingUser, found);
    await options.limits?.consume("mail_recipient", mailboxOf(found.delivery_email));
  }
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, found.id);
    requireDeactivatable(actor, target);
    await deactivateAndAudit({ app, tx, realm }, { actor, target, scope: options.scope });
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
  { actor, target, scope }: { actor: UserRecord; target: UserRecord; scope?: ErasureScope | undefined },
): Promise<void> {
  const { app, tx, realm } = context;
  const botIds = isBot(target) ? [] : await readBotIds(tx, realm.id, target.id);
  const user = await deactivateAccount(context, target);
  const chosen = Object.entries(scope ?? {}).filter(([, isChosen]) => isChosen);
  const details = {
    ...(botIds.length === 0 ? {} : { bots: String(botIds.length) }),
    ...Object.fromEntries(chosen.map(([name]) => [name, "true"])),
  };
  const isReversible = scope === undefined || !isErasing(scope);
  const values = isReversible ? { before: { is_active: true }, after: { is_active: false } } : undefined;
  auditUser(context, { actor, user, action: "deactivated", details, values });
  if (scope === undefined || isReversible) return;
  const userIds = [...botIds, target.id];
  enqueueErasures(tx, { realmId: realm.id, now: app.clock.now() }, { userIds, scope });
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
  });
}
