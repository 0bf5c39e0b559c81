import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { realmOf, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { canAccessUser } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  type Caller,
  canSeeEmail,
  type EmailVisibility,
  foldEmail,
  isBot,
  noSuchUser,
  parsePlaceholderEmail,
  requireAdmin,
  requireCanManageUser,
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
  const own = named === null ? [] : [named.delivery_email, toApiEmail(app, realm, named)];
  if (own.some((known) => foldEmail(known) === folded)) return named;
  return find(organization.get<number>(userKeys.byEmail(realm.id, folded)));
}

export async function readUserList(app: ChatApp, realmId: number): Promise<UserList> {
  return userListOf(await app.readOrganization(realmId));
}

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

export async function readDirectory(app: ChatApp, realmId: number): Promise<Directory> {
  return directoryOf(await app.readOrganization(realmId));
}

export function directoryOf(organization: Snapshot): Directory {
  return toDirectory(userListOf(organization).users);
}

const toDirectory = derived((users: readonly UserRecord[]): Directory => ({
  byName: users.toSorted((a, b) => compareNames(a.full_name, b.full_name) || a.id - b.id),
  byId: new Map(users.map((user) => [user.id, user])),
  byFullName: Map.groupBy(users, ({ full_name }) => full_name.toLowerCase()),
}));

/** @throws AppError BAD_REQUEST when no user has this id. */
export async function getUser(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const user = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (user === null) throw noSuchUser();
  return user;
}

/**
 * Returns the acting user as stored now; one deactivated or demoted meanwhile loses their rights.
 * @throws AppError USER_DEACTIVATED.
 */
export async function getActingUser(tx: Tx, realmId: number, actingUser: UserRecord): Promise<UserRecord> {
  const actor = await getUser(tx, realmId, actingUser.id);
  if (!actor.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  return actor;
}

/**
 * Runs an action in one transaction, with its caller and their organization as stored now. Actions with the same lock take turns within this
 * process.
 * @throws AppError USER_DEACTIVATED, or what the caller's check throws.
 */
export function act<T>(
  app: ChatApp,
  { realm, actingUser, check }: Caller,
  work: (context: ActionContext) => Promise<T>,
  lock?: string,
): Promise<T> {
  return transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const organization = await tx.organization(realm.id);
    await check?.(organization);
    return await work({ app, tx, realm: realmOf(organization), actingUser: actor });
  }, lock);
}

/** @throws AppError USER_DEACTIVATED or UNAUTHORIZED_PRINCIPAL. */
export function actAsAdmin<T>(
  app: ChatApp,
  caller: Caller,
  work: (context: ActionContext) => Promise<T>,
): Promise<T> {
  return act(app, caller, async (context) => {
    requireAdmin(context.actingUser);
    return await work(context);
  });
}

/** @throws AppError BAD_REQUEST when no bot has this id. */
export async function getBot(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const bot = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  return bot;
}

/** @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function getManagedBot(
  { tx, realm, actingUser }: ActionContext,
  id: number,
): Promise<UserRecord> {
  const bot = await getBot(tx, realm.id, id);
  requireCanManageUser(actingUser, bot);
  if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return bot;
}

/**
 * Finds a user by id or by an email address that the caller can see. Returns null for a user whom the caller
 * cannot access, so that nobody learns from a request who has an account.
 */
export async function findAccessibleUser(
  app: ChatApp,
  caller: Caller,
  name: number | string,
): Promise<UserRecord | null> {
  const user = await findKnownUser(app, caller, name);
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  return user !== null && canAccessUser(permissions, caller.actingUser, user) ? user : null;
}

/**
 * Finds a user by id or by an email address that the caller can see, whether or not the caller can access them.
 * For requests with an access rule of their own; all others use `findAccessibleUser`.
 */
export async function findKnownUser(
  app: ChatApp,
  { realm, actingUser }: Caller,
  name: number | string,
): Promise<UserRecord | null> {
  if (typeof name === "number") return await readUser(app, realm.id, name);
  const user = await findUserByEmail(app, realm, name);
  if (user === null || canSeeEmail(actingUser, user)) return user;
  return foldEmail(name) === foldEmail(toApiEmail(app, realm, user)) ? user : null;
}

/** @throws AppError BAD_REQUEST, the same for a user whom the caller cannot access as for none. */
export async function getAccessibleUser(app: ChatApp, caller: Caller, name: string): Promise<UserRecord> {
  const user = await findAccessibleUser(app, caller, parsePathName(name));
  if (user === null) throw noSuchUser();
  return user;
}

/** Parses an id, or decodes an address whose reserved characters, such as @ and +, some clients escape. */
function parsePathName(name: string): number | string {
  if (/^\d+$/.test(name)) return Number(name);
  return name.replace(/%(?:2[346bcf]|3[abdf]|40)/gi, decodeURIComponent);
}
