import { composeMail, type Mail } from "@/lib/mail/mail.ts";
import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";

/** Where a mail belongs to. */
export interface MailPlace {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/**
 * The mail to an address that is not yet anybody's: it carries no text that its sender chose.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function toConfirmationMail(
  { app, realm }: MailPlace,
  { address, token }: { address: string; token: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your new address for ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Somebody, probably you, wants to use this address for an account at ${realm.name}.`,
      "The link works once, within a day. If it was not you, there is nothing to do: without the link nothing changes.",
    ],
    action: { label: "Confirm the address", url: `${url}/account/confirm-email/${token}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/** The mail to the address that an account had, so that its user learns of a change that is not his own. */
export function toNoticeMail(
  { app, realm }: MailPlace,
  { before, address }: { before: UserRecord; address: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: before.full_name, address: before.delivery_email },
    subject: `Your address at ${realm.name} was changed`,
    greeting: `Hello ${before.full_name},`,
    paragraphs: [
      `Your account at ${realm.name} now has the address ${address}. You sign in with that one.`,
      "If it was not you who changed it, please tell an administrator of the organization at once.",
    ],
    footer: `Sent by ${realm.name}, ${url}`,
  });
}
