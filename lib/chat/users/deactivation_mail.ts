import { composeMail, type Mail, toMailName } from "@/lib/mail/mail.ts";
import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";
import type { UserRecord } from "./model.ts";

/**
 * Returns the mail that notifies a user of the deactivation of their account, with the administrator's comment
 * unless it is empty.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function toDeactivationMail(
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
