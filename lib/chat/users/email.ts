import emailAddresses from "email-addresses";
import { AppError } from "@/lib/core/errors.ts";
import { hasControlCharacter } from "@/lib/core/text.ts";
import type { ChatApp } from "../app.ts";
import { realmHost, type RealmRecord } from "../realm/realm.ts";
import { EMAIL_VISIBILITY, isBot, ROLE, type UserRecord } from "./user.ts";

/** The longest address that mail can be sent to, in characters (RFC 5321, 4.5.3.1.3). */
const MAX_ADDRESS = 254;

/**
 * The address by which the API names an account: the real one where everyone may see it, else one that receives no mail.
 */
export function apiEmail(app: Pick<ChatApp, "config">, realm: RealmRecord, user: UserRecord): string {
  const isShown = isBot(user) || user.email_visibility === EMAIL_VISIBILITY.everyone;
  return isShown ? user.delivery_email : placeholderEmail(app, realm, user);
}

/** An address that names an account and receives no mail. */
export function placeholderEmail(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  { id }: Pick<UserRecord, "id">,
): string {
  return `user${id}@${realmHost(app, realm)}`;
}

/** The id in an address that receives no mail; undefined for any other address. */
export function placeholderId(
  app: Pick<ChatApp, "config">,
  realm: RealmRecord,
  address: string,
): number | undefined {
  const digits = /^user(\d{1,15})@/.exec(address)?.[1];
  if (digits === undefined || !address.endsWith(`@${realmHost(app, realm)}`)) return undefined;
  return Number(digits);
}

/** Whether a viewer may see an account's real address; a bot's is seen by all. Null is anybody at all. */
export function canSeeEmail(viewer: UserRecord | null, user: UserRecord): boolean {
  if (isBot(user) || user.email_visibility === EMAIL_VISIBILITY.everyone) return true;
  if (viewer === null) return false;
  if (viewer.id === user.id) return true;
  switch (user.email_visibility) {
    case EMAIL_VISIBILITY.members:
      return viewer.role <= ROLE.member;
    case EMAIL_VISIBILITY.moderators:
      return viewer.role <= ROLE.moderator;
    case EMAIL_VISIBILITY.admins:
      return viewer.role <= ROLE.administrator;
    case EMAIL_VISIBILITY.nobody:
      return false;
  }
}

/**
 * An address as it was typed, without the blanks around it.
 * @throws AppError BAD_REQUEST for what is no address that mail can be sent to.
 */
export function requireEmail(text: string): string {
  const address = text.trim();
  const parsed = emailAddresses.parseOneAddress({ input: address, rfc6532: true });
  const isPlain = parsed?.type === "mailbox" && parsed.address === address && parsed.name === null;
  if (!isPlain || address.length > MAX_ADDRESS || hasControlCharacter(address)) {
    throw new AppError("BAD_REQUEST", "Enter a valid email address.");
  }
  return address;
}
