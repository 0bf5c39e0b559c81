import type { Key } from "@/lib/kv/key.ts";

/** What a person or bot may do in an organization. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
/** One of the five roles. */
export type Role = typeof ROLE[keyof typeof ROLE];
/** The roles, from the one that may most. */
export const ROLES: readonly Role[] = [100, 200, 300, 400, 600];

/** Kinds of bots: generic, incoming webhook, outgoing webhook, embedded. */
export const BOT_TYPES = [1, 2, 3, 4] as const;
/** One of the four kinds. */
export type BotType = typeof BOT_TYPES[number];
/** Bots that only post what is sent to their own address; the API is not for them. */
export const INCOMING_WEBHOOK_BOT: BotType = 2;

/** Who sees a real address: everyone, members, administrators, nobody, moderators. */
export const EMAIL_VISIBILITY = { everyone: 1, members: 2, admins: 3, nobody: 4, moderators: 5 } as const;
/** One of the five choices. */
export type EmailVisibility = typeof EMAIL_VISIBILITY[keyof typeof EMAIL_VISIBILITY];

/** One account of an organization: a person's or a bot's. */
export interface UserRecord {
  readonly id: number;
  /** The real address. */
  readonly delivery_email: string;
  readonly email_visibility: EmailVisibility;
  readonly full_name: string;
  readonly role: Role;
  readonly is_active: boolean;
  /** Null for people. */
  readonly bot_type: BotType | null;
  readonly bot_owner_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_joined: number;
  /** IANA identifier, or empty. */
  readonly timezone: string;
  readonly avatar_version: number;
  /** The upload's path, or null where none was uploaded. */
  readonly avatar: string | null;
  readonly is_imported_stub: boolean;
  /** The server's own voice, which stands in no list of accounts. */
  readonly is_system_bot?: true;
  /** Null where no password was set: then nobody signs in with one. */
  readonly password_hash: string | null;
  /** Rotating the API key adds one. */
  readonly key_generation: number;
  /** Sessions of another number have ended. */
  readonly session_epoch: number;
  /** Invitations by this account that are no younger ended when it was deactivated; in milliseconds since 1970 UTC. */
  readonly invites_ended_at?: number;
  /** Whether devices of his were ever told of messages: what he reads is taken back from them. */
  readonly is_notified?: true;
}

/** Where accounts lie in the store. */
export const userKeys = {
  users: (realmId: number): Key => [realmId, "user"],
  user: (realmId: number, id: number): Key => [realmId, "user", id],
  byEmail: (realmId: number, address: string): Key => [realmId, "user_by_email", foldEmail(address)],
  /** Counts the changes of all accounts: what was read under another number is no longer so. */
  version: (realmId: number): Key => [realmId, "user_version"],
  /** How many active people own the organization. */
  ownerCount: (realmId: number): Key => [realmId, "owner_count"],
  /** The ids of the active bots that an account owns, ascending. */
  bots: (realmId: number, ownerId: number): Key => [realmId, "bots", ownerId],
};

/** An address as it is compared: in any case, blanks around it aside. */
export function foldEmail(address: string): string {
  return address.trim().toLowerCase();
}

/** Whether the account is a bot's. */
export function isBot({ bot_type }: UserRecord): boolean {
  return bot_type !== null;
}

/** Whether the account may administer the organization; owners may. */
export function isAdmin({ role }: Pick<UserRecord, "role">): boolean {
  return role <= ROLE.administrator;
}

/** Whether the account owns the organization. */
export function isOwner({ role }: Pick<UserRecord, "role">): boolean {
  return role === ROLE.owner;
}

/** Whether the account is a guest's. */
export function isGuest({ role }: Pick<UserRecord, "role">): boolean {
  return role === ROLE.guest;
}
