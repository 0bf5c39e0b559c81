import { createHmac } from "node:crypto";
import { equalSecrets, toBase32, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { foldEmail, type Role, type UserRecord } from "@/lib/chat/organization/users/model.ts";

/**
 * Terms of an invitation request, shared by all its invitations, which are valid only once this is stored.
 */
export interface InviteOffer {
  readonly id: number;
  readonly inviter_id: number;
  readonly role: Role;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Milliseconds since 1970 UTC; null for never. */
  readonly expires_at: number | null;
  readonly channel_ids: readonly number[];
  readonly group_ids: readonly number[];
  /** Whether new users are also subscribed to the organization's default channels. */
  readonly include_realm_default_subscriptions: boolean;
  readonly notify_referrer_on_join: boolean;
  /** Markdown; null for the organization's own text at the time of joining, empty for none. */
  readonly welcome_message_custom_text: string | null;
}

/**
 * An invitation of one address. The secret in its URL is derived from the server's key, the id and the salt,
 * and not stored. With `via_link_id`, it is the personal join link of a visitor to a reusable link, which no
 * list shows.
 */
export interface InviteRecord {
  readonly id: number;
  readonly offer_id: number;
  /** Address as the inviter entered it. */
  readonly email: string;
  /** Name entered before the address, or empty. */
  readonly suggested_name: string;
  /** An expired invitation is still pending. */
  readonly state: "pending" | "accepted" | "revoked";
  /** 32 random hexadecimal digits. */
  readonly salt: string;
  readonly via_link_id: number | null;
  /** Milliseconds since 1970 UTC; null for the offer's. Only personal join links have their own. */
  readonly expires_at: number | null;
  /** Ids of the users who were shown its URL; it ends for all when one of them may not see it any more. */
  readonly shown_to?: readonly number[];
}

export interface InviteLinkRecord {
  readonly id: number;
  readonly offer_id: number;
  readonly is_revoked: boolean;
  readonly salt: string;
}

export interface Invitee {
  /** Address as it was entered, not validated. */
  readonly email: string;
  /** Text before the address if it is a valid name, or empty. */
  readonly name: string;
}

/** Kind of mail: the first invitation, or the reminder before it expires. */
export type MailingKind = "invitation" | "reminder";

/** Mails of one offer that have yet to be composed. */
export interface MailingRecord {
  readonly kind: MailingKind;
  readonly realm_id: number;
  readonly offer_id: number;
  /** Invitations without a composed mail. */
  readonly invite_ids: readonly number[];
}

/** Groups and channels that a new user has yet to join. */
export interface PendingJoinRecord {
  readonly realm_id: number;
  readonly user_id: number;
  readonly inviter_id: number;
  /** Null for an account that an administrator created. */
  readonly offer_id: number | null;
  readonly group_ids: readonly number[];
  readonly channel_ids: readonly number[];
  /** Whether the user has received the welcome text. */
  readonly is_welcomed?: true;
}

/** Name of the lock for creating invitations within this process: their ids come from one sequence. */
export const INVITES_LOCK = "invites";
/** Maximum number of invitations that are found by one address; older ones are dropped from the index. */
export const MAX_INVITES_PER_ADDRESS = 50;
const SALT_BYTES = 16;

export const inviteKeys = {
  offers: (realmId: number): Key => [realmId, "invite_offer"],
  offer: (realmId: number, id: number): Key => [realmId, "invite_offer", id],
  invites: (realmId: number): Key => [realmId, "invite"],
  invite: (realmId: number, id: number): Key => [realmId, "invite", id],
  links: (realmId: number): Key => [realmId, "invite_link"],
  link: (realmId: number, id: number): Key => [realmId, "invite_link", id],
  addresses: (realmId: number): Key => [realmId, "invite_of_address"],
  ofAddress: (realmId: number, email: string): Key => [realmId, "invite_of_address", foldEmail(email)],
  /** Mailings by their due time, in milliseconds since 1970 UTC. */
  mailings: ["invite_mailing"],
  mailing: (due: number, realmId: number, offerId: number): Key => ["invite_mailing", due, realmId, offerId],
  /** Pending joins by the time from which any server may complete them, in milliseconds since 1970 UTC. */
  joinings: ["invite_joining"],
  joining: (due: number, realmId: number, userId: number): Key => ["invite_joining", due, realmId, userId],
  /** Version of the active invitations, which every change increments and cached lists depend on. */
  version: (realmId: number): Key => [realmId, "invite_version"],
  /** Number of users who joined by a reusable link. */
  joinedBy: (realmId: number, linkId: number): Key => [realmId, "invite_link_joined", linkId],
  /** Number of invitations sent on a day, which is the number of days since 1970 UTC. */
  day: (realmId: number, day: number): Key => [realmId, "invite_day", day],
  /** Number of invitations sent to a mailbox again in a period of its limit. */
  resent: (realmId: number, mailbox: string, period: number): Key => [
    realmId,
    "invite_resent",
    mailbox,
    period,
  ],
} as const;

export function isExpired(
  { expires_at }: { readonly expires_at: number | null },
  now: number,
): boolean {
  return expires_at !== null && expires_at < now;
}

/** Returns whether an offer ended because its inviter was deactivated, which reactivation does not undo. */
export function isEndedByDeactivation(
  { invites_ended_at }: Pick<UserRecord, "invites_ended_at">,
  { created_at }: Pick<InviteOffer, "created_at">,
): boolean {
  return invites_ended_at !== undefined && created_at <= invites_ended_at;
}

/** Terms of an invitation as the API receives them. */
export interface OfferRequest {
  readonly invite_expires_in_minutes: number | null | undefined;
  readonly invite_as: Role;
  readonly stream_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly include_realm_default_subscriptions: boolean;
  readonly welcome_message_custom_text: string | undefined;
  readonly notify_referrer_on_join: boolean;
}

const MINUTE_MS = 60 * 1000;
/** Time for which an expired invitation is kept, so that its link is reported as expired, in milliseconds. */
export const RETENTION_MS = 30 * 24 * 60 * MINUTE_MS;

export function toOffer(
  app: Pick<ChatApp, "clock" | "config">,
  { id, inviterId, sent }: { id: number; inviterId: number; sent: OfferRequest },
): InviteOffer {
  return {
    id,
    inviter_id: inviterId,
    role: sent.invite_as,
    created_at: app.clock.now(),
    expires_at: getOfferExpiry(app, sent),
    channel_ids: [...new Set(sent.stream_ids)],
    group_ids: [...new Set(sent.group_ids)],
    include_realm_default_subscriptions: sent.include_realm_default_subscriptions,
    notify_referrer_on_join: sent.notify_referrer_on_join,
    welcome_message_custom_text: getWelcomeText(sent),
  };
}

/** Returns the welcome text of a request; null if none was sent. */
export function getWelcomeText(
  { welcome_message_custom_text: text }: Pick<OfferRequest, "welcome_message_custom_text">,
): string | null {
  return text === undefined || text === "null" ? null : text;
}

/** Returns when an offer created now expires, in milliseconds since 1970 UTC; null for never. */
export function getOfferExpiry(
  { clock, config }: Pick<ChatApp, "clock" | "config">,
  { invite_expires_in_minutes: sent }: Pick<OfferRequest, "invite_expires_in_minutes">,
): number | null {
  const now = clock.now();
  const minutes = sent === undefined ? config.invitationLinkValidityMinutes : sent;
  if (minutes === null) return null;
  // Zero minutes expire at once, not a millisecond later.
  return minutes > 0 ? now + minutes * MINUTE_MS : Math.max(0, now - 1 + minutes * MINUTE_MS);
}

/** Returns options that make the store drop a record 30 days after it expires; none if it never does. */
export function retentionOptions(
  { clock }: Pick<ChatApp, "clock">,
  { expires_at }: Pick<InviteOffer, "expires_at">,
): { expireIn?: number } {
  if (expires_at === null) return {};
  return { expireIn: Math.max(0, expires_at - clock.now()) + RETENTION_MS };
}

/** Kind of a token: of an invitation of one address, or of a reusable link. */
export type InviteTokenKind = "invite" | "link";

/** Values from which a token's secret is derived. */
interface InviteSecretSource {
  readonly kind: InviteTokenKind;
  readonly realmId: number;
  readonly id: number;
  readonly salt: string;
}

const KIND_PREFIXES: Readonly<Record<InviteTokenKind, string>> = { invite: "i", link: "m" };

/** Creates the token of a join URL: a letter for the kind, the id, and 160 bits only the server derives. */
export function createInviteToken(app: Pick<ChatApp, "secretKey">, source: InviteSecretSource): string {
  return `${KIND_PREFIXES[source.kind]}${source.id}-${deriveSecret(app, source)}`;
}

/** Parses a token, without verifying its secret; returns null for invalid syntax. */
export function parseInviteToken(
  token: string,
): { readonly kind: InviteTokenKind; readonly id: number; readonly secret: string } | null {
  const [, prefix, id = "", secret = ""] = /^([im])(\d{1,15})-([a-z2-7]{32})$/.exec(token) ?? [];
  if (prefix === undefined) return null;
  return { kind: prefix === KIND_PREFIXES.link ? "link" : "invite", id: Number(id), secret };
}

export async function isInviteSecret(
  app: Pick<ChatApp, "secretKey">,
  source: InviteSecretSource,
  secret: string,
): Promise<boolean> {
  return await equalSecrets(deriveSecret(app, source), secret);
}

/** Generates the salt of a new invitation or link. */
export function generateSalt(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
}

function deriveSecret(
  { secretKey }: Pick<ChatApp, "secretKey">,
  { kind, realmId, id, salt }: InviteSecretSource,
): string {
  const digest = createHmac("sha256", secretKey).update(`join|${kind}|${realmId}|${id}|${salt}`).digest();
  return toBase32(digest.subarray(0, 20));
}

/** Reason why an address was not invited; `isDeactivated` if a deactivated account has it. */
export type InviteProblem = readonly [address: string, reason: string, isDeactivated: boolean];

export function invitationFailed(
  message: string,
  { errors = [], isSent = false, isLimitReached = false }: {
    errors?: readonly InviteProblem[];
    isSent?: boolean;
    isLimitReached?: boolean;
  },
): AppError {
  return new AppError("INVITATION_FAILED", message, {
    extra: {
      errors,
      sent_invitations: isSent,
      license_limit_reached: false,
      daily_limit_reached: isLimitReached,
    },
  });
}

export function noSuchInvitation(): AppError {
  return new AppError("BAD_REQUEST", "No such invitation");
}
