import { composeMail, type Mail } from "@/lib/mail/mail.ts";
import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { canSeeEmail } from "../users/email.ts";
import type { UserRecord } from "../users/user.ts";
import type { InviteOffer, InviteRecord } from "./invite.ts";
import type { MailingKind } from "./mailing.ts";
import { inviteToken } from "./token.ts";

/** What a mail to somebody who is invited is made of. */
export interface InviteMailContent {
  readonly kind: MailingKind;
  readonly realm: RealmRecord;
  readonly inviter: UserRecord;
  readonly offer: InviteOffer;
  readonly invite: InviteRecord;
}

const END = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/**
 * The mail to somebody who is invited. It names who invites, with the address where everyone may see it.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function toInviteMail(
  app: Pick<ChatApp, "config" | "secretKey">,
  { kind, realm, inviter, offer, invite }: InviteMailContent,
): Mail {
  const url = realmUrl(app, realm);
  const token = inviteToken(app, { kind: "invite", realmId: realm.id, id: invite.id, salt: invite.salt });
  const who = canSeeEmail(null, inviter)
    ? `${inviter.full_name} (${inviter.delivery_email})`
    : inviter.full_name;
  const isReminder = kind === "reminder";
  return composeMail({
    to: { name: "", address: invite.email },
    subject: `${isReminder ? "Reminder: your invitation" : "Invitation"} to join ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      isReminder
        ? `${who} invited you to join ${realm.name}. The invitation is still open.`
        : `${who} invites you to join ${realm.name}.`,
      `${endSentence(offer)} If you do not know who invites you, there is nothing to do.`,
    ],
    action: { label: "Join", url: `${url}/join/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

function endSentence({ expires_at }: InviteOffer): string {
  if (expires_at === null) return "The link works once.";
  return `The link works once, until ${END.format(expires_at)} UTC.`;
}
