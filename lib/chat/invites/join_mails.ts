import { composeMail, type Mail } from "@/lib/mail/mail.ts";
import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";

/** Where a mail belongs to. */
export interface JoinMailPlace {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/**
 * The mail to an address that somebody gave who came by a reusable link: it carries no text that he chose.
 * @throws AppError BAD_REQUEST when mail cannot be sent to the address.
 */
export function toProofMail(
  { app, realm }: JoinMailPlace,
  { address, key }: { address: string; key: string },
): Mail {
  const url = realmUrl(app, realm);
  return composeMail({
    to: { name: "", address },
    subject: `Confirm your address to join ${realm.name}`,
    greeting: "Hello,",
    paragraphs: [
      `Somebody, probably you, wants to join ${realm.name} with this address.`,
      "The link works once, within a day. If it was not you, there is nothing to do: without the link nothing happens.",
    ],
    action: { label: `Join ${realm.name}`, url: `${url}/join/${key}` },
    footer: `Sent by ${realm.name}, ${url}`,
  });
}

/** The mail to somebody who wants to join with an address that has an account; whoever asked learns nothing of it. */
export function toMemberMail({ app, realm }: JoinMailPlace, user: UserRecord): Mail {
  const url = realmUrl(app, realm);
  const how = user.is_active
    ? "There is nothing to join: sign in with this address and your password."
    : "The account is deactivated. An administrator of the organization can open it again.";
  return composeMail({
    to: { name: user.full_name, address: user.delivery_email },
    subject: `You have an account at ${realm.name}`,
    greeting: `Hello ${user.full_name},`,
    paragraphs: [
      `Somebody, probably you, wants to join ${realm.name} with this address, which has an account there already.`,
      how,
    ],
    action: { label: "Sign in", url: `${url}/login` },
    footer: `Sent by ${realm.name}, ${url}. If it was not you, there is nothing to do.`,
  });
}
