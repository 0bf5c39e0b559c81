import { once } from "es-toolkit/function/once";
import type { Configured } from "@/lib/chat/organization/config.ts";
import { foldDomain, realmHost, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { AppError, type ErrorDetails } from "@/lib/core/errors.ts";
import { isName } from "@/lib/core/names.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { isEmailAddress } from "@/lib/mail/mail.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";

/** Number of users that a request names which are read before one of them is found to be invalid. */
export const USERS_READ_AT_ONCE = 1000;

/** Roles of a user in an organization; a lower number has more rights. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
export type Role = typeof ROLE[keyof typeof ROLE];
/** All roles, the one with the most rights first. */
export const ROLES: readonly Role[] = [100, 200, 300, 400, 600];

/** Bot types: generic, incoming webhook, outgoing webhook, embedded. */
export const BOT_TYPES = [1, 2, 3, 4] as const;
export type BotType = typeof BOT_TYPES[number];
/** Type of bots that only post messages through their webhook URL and cannot call the API. */
export const INCOMING_WEBHOOK_BOT: BotType = 2;

/** Type of bots whose messages are posted to an address of their owner's. */
export const OUTGOING_WEBHOOK_BOT: BotType = 3;

/** Address to which messages for an outgoing webhook bot are posted. */
export interface OutgoingWebhook {
  readonly payload_url: string;
  /** Format of the payload: 1 is the generic one. */
  readonly interface_type: 1;
}

/** Audiences of a user's real email address. */
export const EMAIL_VISIBILITY = { everyone: 1, members: 2, admins: 3, nobody: 4, moderators: 5 } as const;
export type EmailVisibility = typeof EMAIL_VISIBILITY[keyof typeof EMAIL_VISIBILITY];

/** Maximum length of a full name in code points. */
export const MAX_NAME_LENGTH = 100;

/** Characters of the mention syntax, and code points without a character. */
const FORBIDDEN_CHARACTERS = /[*`\\>"@]|[\p{Cn}\p{Co}]/u;

/** The account of a human or a bot in an organization. */
export interface UserRecord {
  readonly id: number;
  readonly delivery_email: string;
  readonly email_visibility: EmailVisibility;
  readonly full_name: string;
  readonly role: Role;
  readonly is_active: boolean;
  /** Null for humans. */
  readonly bot_type: BotType | null;
  readonly bot_owner_id: number | null;
  /** Absent for other kinds of bots, and for an outgoing webhook bot without an address. */
  readonly outgoing_webhook?: OutgoingWebhook;
  /** Milliseconds since 1970 UTC. */
  readonly date_joined: number;
  /** IANA time zone, or empty. */
  readonly timezone: string;
  readonly avatar_version: number;
  /** Path of the uploaded picture; null for the generated one. */
  readonly avatar: string | null;
  readonly is_imported_stub: boolean;
  /** Set for the server's notification bot, which is in no list of users. */
  readonly is_system_bot?: true;
  /** Null without a password, which makes signing in with one impossible. */
  readonly password_hash: string | null;
  /** Incremented when the API key is rotated. */
  readonly key_generation: number;
  /** Incremented to end all sessions, which store its value. */
  readonly session_epoch: number;
  /** Invitations created up to this moment ended with the deactivation; milliseconds since 1970 UTC. */
  readonly invites_ended_at?: number;
  /** Whether a device ever received a notification, to be retracted when its message is read. */
  readonly is_notified?: true;
}

export interface UserList {
  /** Sorted by id, without the notification bot. */
  readonly users: readonly UserRecord[];
  readonly active: readonly UserRecord[];
  readonly activeIds: ReadonlySet<number>;
  /** Returns whether an account is active; the notification bot is one, too. */
  readonly isActive: (userId: number) => boolean;
  /** A human for each audience of addresses that humans chose. */
  readonly byVisibility: ReadonlyMap<EmailVisibility, UserRecord>;
}

export interface Caller {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
  /** Throws when what a change was decided on is different in the organization that its commit overwrites. */
  readonly check?: (organization: Snapshot) => Promise<void>;
}

export const userKeys = {
  users: (realmId: number): Key => [realmId, "user"],
  user: (realmId: number, id: number): Key => [realmId, "user", id],
  byEmail: (realmId: number, address: string): Key => [realmId, "user_by_email", foldEmail(address)],
  /** Number of active humans who own the organization. */
  ownerCount: (realmId: number): Key => [realmId, "owner_count"],
};

/** Returns an address in the form used for comparison: trimmed and in lower case. */
export function foldEmail(address: string): string {
  return address.trim().toLowerCase();
}

/** Returns the mailbox of an address, for limits: folded, without a tag after a plus sign. */
export function mailboxOf(address: string): string {
  const folded = foldEmail(address);
  const [plus, at] = [folded.indexOf("+"), folded.lastIndexOf("@")];
  return plus < 0 || plus > at ? folded : folded.slice(0, plus) + folded.slice(at);
}

export function isBot({ bot_type }: UserRecord): boolean {
  return bot_type !== null;
}

export function isAdmin({ role }: Pick<UserRecord, "role">): boolean {
  return role <= ROLE.administrator;
}

export function isOwner({ role }: Pick<UserRecord, "role">): boolean {
  return role === ROLE.owner;
}

export function isGuest({ role }: Pick<UserRecord, "role">): boolean {
  return role === ROLE.guest;
}

/** Returns whether the user is an active human owner; every organization needs one. */
export function isActiveOwner(user: UserRecord): boolean {
  return user.is_active && isOwner(user) && !isBot(user);
}

/** Returns the error for an id or address without an account. */
export function noSuchUser(): AppError {
  return new AppError("BAD_REQUEST", "No such user");
}

/** Returns the error for a request that requires an account and has no credentials. */
export function notLoggedIn(): AppError {
  return new AppError("UNAUTHORIZED", "Not logged in: API authentication or user session required");
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL. */
export function requireAdmin(user: UserRecord): void {
  if (!isAdmin(user)) throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator");
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL. */
export function requireOwner(user: UserRecord, details: Pick<ErrorDetails, "field"> = {}): void {
  if (!isOwner(user)) throw new AppError("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner", details);
}

/**
 * Requires an administrator, for owners an owner, or the owner of the target bot.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export function requireCanManageUser(actor: UserRecord, target: UserRecord): void {
  if (target.bot_owner_id === actor.id) return;
  if (!isAdmin(actor)) throw new AppError("BAD_REQUEST", "Insufficient permission");
  if (isOwner(target)) requireOwner(actor, { field: "role" });
}

/** Whether an administrator may manage an account: only owners manage owners, but everyone their own bots. */
export function canManageUser(admin: UserRecord, target: UserRecord): boolean {
  return target.bot_owner_id === admin.id || isOwner(admin) || !isOwner(target);
}

/**
 * Requires that the actor can assign a role: none above their own, and only owners add or remove owners.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export function requireCanAssignRole(
  actor: UserRecord,
  { target, role }: { target: UserRecord; role: Role },
): void {
  if (role === ROLE.owner || isOwner(target)) requireOwner(actor, { field: "role" });
  if (role < actor.role) requireAdmin(actor);
}

/** Returns the address that identifies a user in the API: a placeholder unless everyone sees the real one. */
export function toApiEmail(app: Configured, realm: RealmRecord, user: UserRecord): string {
  const isShown = isBot(user) || user.email_visibility === EMAIL_VISIBILITY.everyone;
  return isShown ? user.delivery_email : toPlaceholderEmail(app, realm, user);
}

/** Returns a user's placeholder address, which receives no mail. */
export function toPlaceholderEmail(
  app: Configured,
  realm: RealmRecord,
  { id }: Pick<UserRecord, "id">,
): string {
  return `user${id}@${realmHost(app, realm)}`;
}

/** Returns the user id in a placeholder address; undefined for other addresses. */
export function parsePlaceholderEmail(
  app: Configured,
  realm: RealmRecord,
  address: string,
): number | undefined {
  const digits = /^user(\d{1,15})@/.exec(address)?.[1];
  if (digits === undefined || !address.endsWith(`@${realmHost(app, realm)}`)) return undefined;
  return Number(digits);
}

/** Whether a viewer, null for any, can see a user's real address; addresses of bots are public. */
export function canSeeEmail(viewer: Pick<UserRecord, "id" | "role"> | null, user: UserRecord): boolean {
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

/** @throws AppError BAD_REQUEST for a text that is not an email address. */
export function requireEmail(text: string): string {
  const address = text.trim();
  if (!isEmailAddress(address)) {
    throw new AppError("BAD_REQUEST", "Enter a valid email address.", { field: "email" });
  }
  return address;
}

/** @throws AppError BAD_REQUEST for a name that is empty, too long or cannot be mentioned. */
export function requireFullName(text: string): string {
  const name = text.trim();
  if (codePointLength(name) > MAX_NAME_LENGTH) {
    throw new AppError("BAD_REQUEST", "Name too long!", { field: "full_name" });
  }
  if (name === "") throw new AppError("BAD_REQUEST", "Name must not be empty!", { field: "full_name" });
  if (FORBIDDEN_CHARACTERS.test(name) || !isName(name)) {
    throw new AppError("BAD_REQUEST", "Invalid characters in name!", { field: "full_name" });
  }
  if (/\|\d+$/.test(name)) throw new AppError("BAD_REQUEST", "Invalid format!", { field: "full_name" });
  return name;
}

/** Returns why an organization does not accept a valid address, or null when it does. */
export async function findEmailProblem(
  { settings }: Pick<RealmRecord, "settings">,
  address: string,
): Promise<string | null> {
  const at = address.lastIndexOf("@");
  const [name, domain] = [address.slice(0, at), foldDomain(address.slice(at + 1))];
  if (settings.emails_restricted_to_domains) {
    if (name.includes("+")) return "Email addresses containing + are not allowed.";
    const isOwn = settings.domains.some((own) =>
      domain === own.domain || (own.allow_subdomains && domain.endsWith(`.${own.domain}`))
    );
    return isOwn ? null : "Outside your domain.";
  }
  const isRefused = settings.disallow_disposable_email_addresses &&
    (await loadDisposableDomains()).has(domain);
  return isRefused ? "Please use your real email address." : null;
}

/** @throws AppError BAD_REQUEST with the reason. */
export async function requireAllowedEmail(
  realm: Pick<RealmRecord, "settings">,
  address: string,
): Promise<void> {
  const problem = await findEmailProblem(realm, address);
  if (problem !== null) throw new AppError("BAD_REQUEST", problem, { field: "email" });
}

/** Loads the domains of disposable email services, in lower case, on first use, as there are many. */
const loadDisposableDomains = once(async (): Promise<ReadonlySet<string>> => {
  const { default: domains } = await import("disposable-email-domains/index.json", {
    with: { type: "json" },
  });
  return new Set(domains);
});
