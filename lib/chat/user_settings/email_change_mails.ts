import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";

/** Context of a mail: the organization that sends it. */
export interface MailContext {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/**
 * Returns the mail that confirms a new address. It contains no text that the requesting user chose, because
 * the address may belong to another person.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function toConfirmationMail(
  { app, realm }: MailContext,
  { address, token }: { address: string; token: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your new email address for ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Someone, possibly you, asked to use this email address for an account at ${realm.name}.`,
      "You can use the link once, within one day. If you did not request this, you can ignore this email.",
    ],
    action: { label: "Confirm email address", url: `${url}/account/confirm-email/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/**
 * Returns the mail that notifies the old address of a change, so that the user learns of unauthorized
 * changes.
 */
export function toEmailChangedMail(
  { app, realm }: MailContext,
  { before, address }: { before: UserRecord; address: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: before.full_name, address: before.delivery_email },
    subject: `Your email address at ${realm.name} was changed`,
    greeting: `Hello ${toMailName(before.full_name)},`,
    paragraphs: [
      `The email address of your account at ${realm.name} is now ${address}. Use it to sign in.`,
      "If you did not request this, contact an administrator of the organization immediately.",
    ],
    footer: `Sent by ${realm.name}, ${url}`,
  });
}
