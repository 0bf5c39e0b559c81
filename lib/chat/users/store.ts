import { compareNames } from "@/lib/core/compare_names.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { updateBotIndex } from "../bots/store.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { updateWebhookIndex } from "../webhooks/store.ts";
import {
  type Caller,
  type EmailVisibility,
  foldEmail,
  isActiveOwner,
  isBot,
  noSuchUser,
  parsePlaceholderEmail,
  requireAdmin,
  toApiEmail,
  userKeys,
  type UserList,
  type UserRecord,
} from "./model.ts";

/** Length in characters above which no address is looked up. */
const MAX_LOOKUP_ADDRESS = 320;

/** Returns the name of the signal sent when an account changes or one of its sessions ends. */
export function accountSignal(realmId: number, userId: number): string {
  return `account ${realmId} ${userId}`;
}

/** Reads a user by id; null when none exists. */
export function readUser(app: ChatApp, realmId: number, id: number): Promise<UserRecord | null> {
  return Number.isSafeInteger(id)
    ? app.reads.read<UserRecord>(userKeys.user(realmId, id))
    : Promise.resolve(null);
}

/** Reads users by id, each once; absent where none exists. */
export async function readUsers(
  app: ChatApp,
  realmId: number,
  userIds: Iterable<number>,
): Promise<ReadonlyMap<number, UserRecord>> {
  const users = (await app.readOrganization(realmId)).rows<UserRecord>(userKeys.users(realmId));
  const found = new Map<number, UserRecord>();
  for (const id of userIds) {
    const user = users.get(id);
    if (user !== undefined) found.set(id, user);
  }
  return found;
}

/** Finds the user with a real or API address, ignoring case; null for none. */
export async function findUserByEmail(
  app: ChatApp,
  realm: RealmRecord,
  address: string,
): Promise<UserRecord | null> {
  // The store limits the length of keys.
  if (address.length > MAX_LOOKUP_ADDRESS) return null;
  const folded = foldEmail(address);
  const organization = await app.readOrganization(realm.id);
  const find = (id: number | null) =>
    id === null ? null : organization.get<UserRecord>(userKeys.user(realm.id, id));
  const named = find(parsePlaceholderEmail(app, realm, folded) ?? null);
  if (named !== null && isSameEmail(folded, [named.delivery_email, toApiEmail(app, realm, named)])) {
    return named;
  }
  return find(organization.get<number>(userKeys.byEmail(realm.id, folded)));
}

/** Reads the users of an organization. */
export async function readUserList(app: ChatApp, realmId: number): Promise<UserList> {
  return userListOf(await app.readOrganization(realmId));
}

/** Returns the users of an organization. */
export function userListOf(organization: Snapshot): UserList {
  return toUserList(organization.rows<UserRecord>(userKeys.users(organization.realmId)));
}

/** Reads the users of an organization as `readUserList` does. */
export async function listUsers(app: ChatApp, realmId: number): Promise<readonly UserRecord[]> {
  return (await readUserList(app, realmId)).users;
}

const toUserList = derived((table: Table<UserRecord>): UserList => {
  const stored = table.values();
  const users = stored.filter(({ is_system_bot }) => is_system_bot !== true);
  const active = users.filter((user) => user.is_active);
  const activeIds = new Set(active.map(({ id }) => id));
  const botIds = stored.filter((user) => user.is_system_bot === true && user.is_active).map(({ id }) => id);
  const byVisibility = new Map<EmailVisibility, UserRecord>();
  for (const user of users) {
    if (!isBot(user)) byVisibility.set(user.email_visibility, user);
  }
  return {
    users,
    active,
    activeIds,
    isActive: (id) => activeIds.has(id) || botIds.includes(id),
    byVisibility,
  };
});

/** All users of an organization at one moment, without the notification bot. */
export interface Directory {
  /** Sorted by name for display, then by id. */
  readonly byName: readonly UserRecord[];
  readonly byId: ReadonlyMap<number, UserRecord>;
  /** By full name in lowercase, each sorted by id. */
  readonly byFullName: ReadonlyMap<string, readonly UserRecord[]>;
}

/** Reads the users of an organization, sorted and by name. */
export async function readDirectory(app: ChatApp, realmId: number): Promise<Directory> {
  return toDirectory((await readUserList(app, realmId)).users);
}

const toDirectory = derived((users: readonly UserRecord[]): Directory => ({
  byName: users.toSorted((one, other) => compareNames(one.full_name, other.full_name) || one.id - other.id),
  byId: new Map(users.map((user) => [user.id, user])),
  byFullName: Map.groupBy(users, ({ full_name }) => full_name.toLowerCase()),
}));

/**
 * Returns a user within a transaction.
 * @throws AppError BAD_REQUEST when no user has this id.
 */
export async function getUser(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const user = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (user === null) throw noSuchUser();
  return user;
}

/**
 * Returns the acting user as stored now, so that a user demoted or deactivated in the meantime loses their
 * rights.
 * @throws AppError USER_DEACTIVATED.
 */
export async function getActingUser(tx: Tx, realmId: number, actingUser: UserRecord): Promise<UserRecord> {
  const actor = await getUser(tx, realmId, actingUser.id);
  if (!actor.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  return actor;
}

/**
 * Returns the acting user as stored now, who must be an administrator.
 * @throws AppError USER_DEACTIVATED or UNAUTHORIZED_PRINCIPAL.
 */
export async function getActingAdmin(tx: Tx, { realm, actingUser }: Caller): Promise<UserRecord> {
  const actor = await getActingUser(tx, realm.id, actingUser);
  requireAdmin(actor);
  return actor;
}

/**
 * Writes a user and updates the indexes: email address, number of owners, bots of the owner, webhooks.
 * @throws AppError BAD_REQUEST when the address is taken, or the owner has too many bots.
 */
export async function putUser(tx: Tx, realmId: number, user: UserRecord): Promise<void> {
  const before = await tx.get<UserRecord>(userKeys.user(realmId, user.id));
  const isEmailChanged = before === null ||
    foldEmail(before.delivery_email) !== foldEmail(user.delivery_email);
  if (isEmailChanged) await putEmailIndex(tx, realmId, { before, user });
  await updateOwnerCount(tx, realmId, { before, user });
  await updateBotIndex(tx, realmId, { before, user });
  await updateWebhookIndex(tx, realmId, { before, user });
  tx.set(userKeys.user(realmId, user.id), user);
  tx.notify(accountSignal(realmId, user.id));
}

/**
 * Returns whether no other active human owns the organization. All changes of owners conflict on one counter,
 * so two concurrent ones cannot both remove the last owner.
 */
export async function isLastOwner(tx: Tx, realmId: number, user: UserRecord): Promise<boolean> {
  return isActiveOwner(user) && (await tx.get<number>(userKeys.ownerCount(realmId)) ?? 0) <= 1;
}

/** Updates the number of owners for a user changed from `before`, which is null for a new user. */
async function updateOwnerCount(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const change = Number(isActiveOwner(user)) - Number(before !== null && isActiveOwner(before));
  if (change === 0) return;
  const key = userKeys.ownerCount(realmId);
  tx.set(key, (await tx.get<number>(key) ?? 0) + change);
}

function isSameEmail(folded: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => foldEmail(address) === folded);
}

interface UserChange {
  readonly before: UserRecord | null;
  readonly user: UserRecord;
}

async function putEmailIndex(tx: Tx, realmId: number, { before, user }: UserChange): Promise<void> {
  const key = userKeys.byEmail(realmId, user.delivery_email);
  if (await tx.get<number>(key) !== null) {
    throw new AppError("BAD_REQUEST", "Email is already in use.", { field: "email" });
  }
  if (before !== null) tx.delete(userKeys.byEmail(realmId, before.delivery_email));
  tx.set(key, user.id);
}
