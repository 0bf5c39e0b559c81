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
    subject: `Confirm your new address for ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `You or someone else asked to use this address for an account at ${realm.name}.`,
      "The link works once, within 24 hours. If you did not ask for this, ignore this mail: nothing " +
      "changes until the address is confirmed.",
    ],
    action: { label: "Confirm the address", url: `${url}/account/confirm-email/${token}` },
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
    subject: `Your address at ${realm.name} was changed`,
    greeting: `Hello ${toMailName(before.full_name)},`,
    paragraphs: [
      `Your account at ${realm.name} now has the address ${address}. You sign in with that one.`,
      "If you did not change it, contact an administrator of the organization immediately.",
    ],
    footer: `Sent by ${realm.name}, ${url}`,
  });
}
