import type { Key } from "@/lib/kv/key.ts";
import { foldEmail, type Role } from "../users/user.ts";

/** What one request invited people to: shared by all of its invitations, which count from when this is stored. */
export interface InviteOffer {
  readonly id: number;
  readonly inviter_id: number;
  readonly role: Role;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Milliseconds since 1970 UTC; null never. */
  readonly expires_at: number | null;
  readonly channel_ids: readonly number[];
  readonly group_ids: readonly number[];
  /** Whether the organization's default channels are joined too. */
  readonly include_realm_default_subscriptions: boolean;
  readonly notify_referrer_on_join: boolean;
  /** In Markdown; null: the organization's own at the moment of joining; empty: nothing. */
  readonly welcome_message_custom_text: string | null;
}

/** What became of an invitation; one that expired is pending still. */
export type InviteState = "pending" | "accepted" | "revoked";

/**
 * An invitation of one address. Its link's secret is derived from the server's key, the id and the salt, and so not
 * stored. With `via_link_id`, it is the proof of an address that somebody gave who came by a reusable link: in no list.
 */
export interface InviteRecord {
  readonly id: number;
  readonly offer_id: number;
  /** As it was typed. */
  readonly email: string;
  /** The name that stood before the address, or empty. */
  readonly suggested_name: string;
  readonly state: InviteState;
  /** 32 random hexadecimal digits. */
  readonly salt: string;
  readonly via_link_id: number | null;
  /** Milliseconds since 1970 UTC; of the offer where null. Only proofs have an own one. */
  readonly expires_at: number | null;
}

/** A reusable link. */
export interface InviteLinkRecord {
  readonly id: number;
  readonly offer_id: number;
  readonly is_revoked: boolean;
  readonly salt: string;
}

/** Where invitations lie in the store. */
export const inviteKeys = {
  offers: (realmId: number): Key => [realmId, "invite_offer"],
  offer: (realmId: number, id: number): Key => [realmId, "invite_offer", id],
  invites: (realmId: number): Key => [realmId, "invite"],
  invite: (realmId: number, id: number): Key => [realmId, "invite", id],
  links: (realmId: number): Key => [realmId, "invite_link"],
  link: (realmId: number, id: number): Key => [realmId, "invite_link", id],
  addresses: (realmId: number): Key => [realmId, "invite_of_address"],
  /** The ids of the invitations of an address, whatever became of them. */
  ofAddress: (realmId: number, email: string): Key => [realmId, "invite_of_address", foldEmail(email)],
  /** Mails that are still to be composed: `due` in milliseconds since 1970 UTC. */
  mailings: ["invite_mailing"],
  mailing: (due: number, realmId: number, offerId: number): Key => ["invite_mailing", due, realmId, offerId],
  /** What newcomers are still to be given: `due`, in milliseconds since 1970 UTC, is when others may go on with it. */
  joinings: ["invite_joining"],
  joining: (due: number, realmId: number, userId: number): Key => ["invite_joining", due, realmId, userId],
  /** Counts the changes of what is open: a list that was made under another number is no longer right. */
  version: (realmId: number): Key => [realmId, "invite_version"],
  /** How many people joined by a reusable link. */
  joinedBy: (realmId: number, linkId: number): Key => [realmId, "invite_link_joined", linkId],
  /** How many were invited on a day, the number of days since 1970 UTC. */
  day: (realmId: number, day: number): Key => [realmId, "invite_day", day],
} as const;

/** Whether an invitation or link has run out; one without an end never does. */
export function isExpired(
  { expires_at }: { readonly expires_at: number | null },
  now: number,
): boolean {
  return expires_at !== null && expires_at < now;
}
