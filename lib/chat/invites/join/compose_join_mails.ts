import type { ChatApp } from "@/lib/chat/app.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";

/** Organization and configuration of a mail. */
export interface JoinMailContext {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/**
 * Composes the mail with a personal join link for a visitor to a reusable link. It contains no text of the
 * visitor's.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function composeJoinLinkMail(
  { app, realm }: JoinMailContext,
  { address, token }: { address: string; token: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your email address to join ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Use the link below to join ${realm.name} with this email address.`,
      "You can use the link once, within one day. If you did not request this, you can ignore this email.",
    ],
    action: { label: `Join ${realm.name}`, url: `${url}/join/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/**
 * Composes the mail to a user whose address a visitor to a reusable link entered; the visitor learns nothing
 * of it.
 */
export function composeAccountExistsMail({ app, realm }: JoinMailContext, user: UserRecord): Mail {
  const url = realmUrl(app, realm);
  const advice = user.is_active
    ? "You can sign in with this address and your password."
    : "The account is deactivated. An administrator of the organization can reactivate it.";
  return composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: `You already have an account at ${realm.name}`,
    greeting: `Hello ${toMailName(user.full_name)},`,
    paragraphs: [
      `Someone, possibly you, asked to join ${realm.name} with this email address, but it already has an account.`,
      advice,
    ],
    action: { label: "Sign in", url: `${url}/login` },
    footer: `Sent by ${realm.name}, ${url}. If you did not request this, you can ignore this email.`,
  });
}
