import type { ChatApp } from "@/lib/chat/app.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organizations/model.ts";
import { canSeeEmail, type UserRecord } from "@/lib/chat/users/model.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import { inviteUrl } from "../api.ts";
import { type InviteOffer, type InviteRecord, type MailingKind } from "../model.ts";

/** Content of an invitation mail. */
export interface InviteMailContent {
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

/**
 * Composes an invitation mail, which names the inviter, with their address if everyone may see it.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function composeInviteMail(
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
