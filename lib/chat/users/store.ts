import type { ChatApp } from "@/lib/chat/app.ts";
import { realmHost, type RealmRecord } from "@/lib/chat/organizations/model.ts";
import { updateWebhookIndex } from "@/lib/chat/webhooks/store.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  type Caller,
  EMAIL_VISIBILITY,
  type EmailVisibility,
  foldEmail,
  isActiveOwner,
  isBot,
  noSuchUser,
  parsePlaceholderEmail,
  requireAdmin,
  requireCanManageUser,
  ROLE,
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
  return toDirectory((await readUserList(app, realmId)).users);
}

const toDirectory = derived((users: readonly UserRecord[]): Directory => ({
  byName: users.toSorted((one, other) => compareNames(one.full_name, other.full_name) || one.id - other.id),
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

/** @throws AppError USER_DEACTIVATED or UNAUTHORIZED_PRINCIPAL. */
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
  if (before === null || foldEmail(before.delivery_email) !== foldEmail(user.delivery_email)) {
    const key = userKeys.byEmail(realmId, user.delivery_email);
    if (await tx.get<number>(key) !== null) {
      throw new AppError("BAD_REQUEST", "Email is already in use.", { field: "email" });
    }
    if (before !== null) tx.delete(userKeys.byEmail(realmId, before.delivery_email));
    tx.set(key, user.id);
  }
  const owners = Number(isActiveOwner(user)) - Number(before !== null && isActiveOwner(before));
  const ownersKey = userKeys.ownerCount(realmId);
  if (owners !== 0) tx.set(ownersKey, (await tx.get<number>(ownersKey) ?? 0) + owners);
  await updateBotIndex(tx, realmId, { before, user });
  await updateWebhookIndex(tx, realmId, { before, user });
  tx.set(userKeys.user(realmId, user.id), user);
  tx.notify(accountSignal(realmId, user.id));
}

/** Returns whether no other active human is an owner; all changes of owners conflict on the counter. */
export async function isLastOwner(tx: Tx, realmId: number, user: UserRecord): Promise<boolean> {
  return isActiveOwner(user) && (await tx.get<number>(userKeys.ownerCount(realmId)) ?? 0) <= 1;
}

/** Maximum number of active bots per owner; they must fit into one transaction when deactivated together. */
export const MAX_BOTS = 80;

/** Reads the ids of the active bots a user owns within a transaction, ascending. */
export async function readBotIds(tx: Tx, realmId: number, ownerId: number): Promise<readonly number[]> {
  return await tx.get<readonly number[]>(userKeys.bots(realmId, ownerId)) ?? [];
}

/**
 * Updates the lists of bots by owner; `before` is null for a new user, humans are ignored.
 * @throws AppError BAD_REQUEST when the owner has too many bots.
 */
async function updateBotIndex(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const from = before === null ? null : indexedOwnerId(before);
  const to = indexedOwnerId(user);
  if (from === to) return;
  if (from !== null) {
    const others = (await readBotIds(tx, realmId, from)).filter((id) => id !== user.id);
    if (others.length === 0) tx.delete(userKeys.bots(realmId, from));
    else tx.set(userKeys.bots(realmId, from), others);
  }
  if (to === null) return;
  const bots = await readBotIds(tx, realmId, to);
  if (bots.length >= MAX_BOTS) {
    throw new AppError("BAD_REQUEST", `One account can own ${MAX_BOTS} active bots at most.`, {
      field: "bot_owner_id",
    });
  }
  tx.set(userKeys.bots(realmId, to), [...bots, user.id].sort((one, other) => one - other));
}

/** Returns the owner whose list contains a user; null for humans, inactive bots and bots without an owner. */
export function indexedOwnerId(user: UserRecord): number | null {
  return isBot(user) && user.is_active ? user.bot_owner_id : null;
}

const GENERIC_BOT = 1;

const botKey = (realmId: number): Key => [realmId, "notification_bot"];

/** @throws AppError BAD_REQUEST when no bot has this id. */
export async function getBot(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const bot = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (bot === null || !isBot(bot)) throw new AppError("BAD_REQUEST", "No such bot");
  return bot;
}

/**
 * Returns an active bot and the acting user, who may manage it.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function getManagedBot(
  tx: Tx,
  { realm, actingUser }: Caller,
  id: number,
): Promise<{ actor: UserRecord; bot: UserRecord }> {
  const actor = await getActingUser(tx, realm.id, actingUser);
  const bot = await getBot(tx, realm.id, id);
  requireCanManageUser(actor, bot);
  if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return { actor, bot };
}

/** Returns the bot that posts automatic messages in an organization; creates it on first use. */
export async function getNotificationBot(app: ChatApp, realm: RealmRecord): Promise<UserRecord> {
  const find = async (get: Tx["get"]) => {
    const id = await get<number>(botKey(realm.id));
    return id === null ? null : await get<UserRecord>(userKeys.user(realm.id, id));
  };
  return await find(app.reads.read) ?? await transact(app.store, async (tx) => {
    const known = await find((key) => tx.get(key));
    if (known !== null) return known;
    const host = realmHost(app, realm);
    const usual = `notification-bot@${host}`;
    // An account may have taken the address before the bot was needed.
    const isFree = await tx.get(userKeys.byEmail(realm.id, usual)) === null;
    const bot: UserRecord = {
      id: await tx.nextId("user"),
      delivery_email: isFree ? usual : `notification-bot-${crypto.randomUUID().slice(0, 8)}@${host}`,
      email_visibility: EMAIL_VISIBILITY.everyone,
      full_name: "Notification Bot",
      role: ROLE.member,
      is_active: true,
      bot_type: GENERIC_BOT,
      bot_owner_id: null,
      date_joined: app.clock.now(),
      timezone: "",
      avatar_version: 1,
      avatar: null,
      is_imported_stub: false,
      is_system_bot: true,
      password_hash: null,
      key_generation: 1,
      session_epoch: 1,
    };
    await putUser(tx, realm.id, bot);
    tx.set(botKey(realm.id), bot.id);
    return bot;
  });
}
