import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { type Caller, canSeeEmail, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import { enqueueMail } from "@/lib/mail/queue.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { getManageableInvite, getUsableManagedInvite, isInviterAuthorized } from "./access.ts";
import { auditInvite, inviteUrl, sendInvitesEvents } from "./events.ts";
import {
  inviteKeys,
  type InviteOffer,
  type InviteRecord,
  isExpired,
  type MailingKind,
  type MailingRecord,
  retentionOptions,
} from "./model.ts";
import { countInvitations, countResentInvite, requireBelowDailyLimit } from "./store.ts";

interface InviteMailContent {
  readonly kind: MailingKind;
  readonly realm: RealmRecord;
  readonly inviter: UserRecord;
  readonly offer: InviteOffer;
  readonly invite: InviteRecord;
}

const EXPIRY_FORMAT = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** @throws AppError BAD_REQUEST when mail cannot be sent to the address. */
function composeInviteMail(
  app: Pick<ChatApp, "config" | "secretKey">,
  { kind, realm, inviter, offer, invite }: InviteMailContent,
): Mail {
  const url = realmUrl(app, realm);
  const inviterName = canSeeEmail(null, inviter)
    ? `${toMailName(inviter.full_name)} (${inviter.delivery_email})`
    : toMailName(inviter.full_name);
  const isReminder = kind === "reminder";
  return composeMail({
    to: { name: "", address: invite.email },
    subject: `${isReminder ? "Reminder: your invitation" : "Invitation"} to join ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      isReminder
        ? `${inviterName} invited you to join ${realm.name}. The invitation is still valid.`
        : `${inviterName} invites you to join ${realm.name}.`,
      `${formatExpiry(offer)} If you do not know the sender, you can ignore this email.`,
    ],
    action: { label: "Join", url: inviteUrl(app, realm, invite) },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

function formatExpiry({ expires_at }: InviteOffer): string {
  if (expires_at === null) return "You can use the link once.";
  return `You can use the link once, until ${EXPIRY_FORMAT.format(expires_at)} UTC.`;
}

/** Number of mails composed in one commit, within the limits of the store. */
const MAX_MAILS_PER_COMMIT = 50;

/**
 * Composes and enqueues all mails of a mailing in several commits, each of which also removes its invitations
 * from the mailing: every mail is enqueued once, even if this is interrupted and started again.
 */
export async function sendMailing(app: ChatApp, key: Key): Promise<void> {
  // The mailer is woken at the end: its own commits would delay these.
  try {
    while (await sendNext(app, key));
  } finally {
    app.wakeMailer();
  }
}

/** Enqueues the next mails and returns whether there are more. */
function sendNext(app: ChatApp, key: Key): Promise<boolean> {
  return transact(app.store, async (tx) => {
    const mailing = await tx.get<MailingRecord>(key);
    if (mailing === null) return false;
    const content = await readContent(app, tx, mailing);
    if (content === null) {
      tx.delete(key);
      return false;
    }
    const ids = mailing.invite_ids.slice(0, MAX_MAILS_PER_COMMIT);
    const invites = await Promise.all(
      ids.map((id) => tx.get<InviteRecord>(inviteKeys.invite(mailing.realm_id, id))),
    );
    for (const invite of invites) {
      if (invite?.state === "pending") enqueueInviteMail(app, tx, { ...content, invite });
    }
    const later = mailing.invite_ids.slice(MAX_MAILS_PER_COMMIT);
    if (later.length === 0) tx.delete(key);
    else tx.set(key, { ...mailing, invite_ids: later } satisfies MailingRecord);
    return later.length > 0;
  });
}

/** Reads the content common to all mails of a mailing; null if the invitations can no longer be accepted. */
async function readContent(
  app: ChatApp,
  tx: Tx,
  { kind, realm_id, offer_id }: MailingRecord,
): Promise<Omit<InviteMailContent, "invite"> | null> {
  const offer = await tx.get<InviteOffer>(inviteKeys.offer(realm_id, offer_id));
  if (offer === null || isExpired(offer, app.clock.now())) return null;
  const permissions = permissionsOf(await tx.organization(realm_id), app.clock);
  const inviter = await tx.get<UserRecord>(userKeys.user(realm_id, offer.inviter_id));
  if (permissions.realm.is_deactivated || inviter === null) return null;
  const terms = { ...offer, permission: "can_invite_users_group" } as const;
  return isInviterAuthorized(permissions, inviter, terms)
    ? { kind, realm: permissions.realm, inviter, offer }
    : null;
}

function enqueueInviteMail(app: ChatApp, tx: Tx, content: InviteMailContent): void {
  try {
    enqueueMail(tx, composeInviteMail(app, content), app.clock.now());
  } catch (error) {
    // A mail that cannot be sent does not prevent the others.
    if (!(error instanceof AppError)) throw error;
  }
}

/** @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, INVITATION_FAILED or RATE_LIMIT_HIT. */
export async function resendInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const { invite, offer, permissions, inviter } = await getUsableManagedInvite(app, tx, { caller, id });
    const count = { realmId, count: 1 };
    await requireBelowDailyLimit(app, tx, count);
    await countInvitations(app, tx, count);
    await countResentInvite(app, tx, { realmId, email: invite.email });
    auditInvite(tx, { realmId, now: permissions.now }, {
      actor: caller.actingUser,
      invite,
      action: "invite_resent",
    });
    enqueueInviteMail(app, tx, { kind: "invitation", realm: permissions.realm, inviter, offer, invite });
  });
  app.wakeMailer();
}

/** People whose rights are checked when the invitation is accepted. */
const MAX_SHOWN = 20;

/**
 * Returns the URL by which anyone can accept an invitation, and records that in the audit log.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function showInviteUrl(app: ChatApp, caller: Caller, id: number): Promise<string> {
  return await transact(app.store, async (tx) => {
    const { invite, offer, permissions } = await getUsableManagedInvite(app, tx, { caller, id });
    const { realm, now } = permissions;
    const actor = caller.actingUser;
    auditInvite(tx, { realmId: realm.id, now }, { actor, invite, action: "invite_url_shown" });
    const shown_to = [...new Set([...invite.shown_to ?? [], actor.id])];
    if (shown_to.length > MAX_SHOWN) {
      throw new AppError("BAD_REQUEST", "Too many people have seen this link. Revoke it and invite again.");
    }
    tx.set(inviteKeys.invite(realm.id, id), { ...invite, shown_to }, retentionOptions(app, offer));
    return inviteUrl(app, realm, invite);
  });
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function revokeInvite(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    const { invite, offer } = await getManageableInvite(tx, caller, id);
    const revoked: InviteRecord = { ...invite, state: "revoked" };
    tx.set(inviteKeys.invite(realmId, id), revoked, retentionOptions(app, offer));
    const at = { realmId, now: app.clock.now() };
    auditInvite(tx, at, { actor: caller.actingUser, invite, action: "invite_revoked" });
    sendInvitesEvents(tx, at, await tx.peek<UserRecord>(userKeys.user(realmId, offer.inviter_id)));
  });
}
