import { AppError } from "@/lib/core/errors.ts";
import { listValues } from "@/lib/kv/list_values.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { apiEmail, placeholderId } from "./email.ts";
import { noteBotOwner } from "./bots_of.ts";
import { countOwner } from "./owner_count.ts";
import { foldEmail, userKeys, type UserRecord } from "./user.ts";

/** No address of an account is longer, in characters. */
const MAX_ADDRESS = 320;

/** An account by its id, or null. */
export function readUser(app: ChatApp, realmId: number, id: number): Promise<UserRecord | null> {
  return Number.isSafeInteger(id)
    ? app.reads.read<UserRecord>(userKeys.user(realmId, id))
    : Promise.resolve(null);
}

/** The account whose real address or API address this is, in any case; or null. */
export async function findUserByEmail(
  app: ChatApp,
  realm: RealmRecord,
  address: string,
): Promise<UserRecord | null> {
  // The store takes no keys of any length, and no account has such an address.
  if (address.length > MAX_ADDRESS) return null;
  const folded = foldEmail(address);
  const remembered = app.userIds.get(realm.id, folded) ?? placeholderId(app, realm, folded);
  if (remembered !== undefined) {
    const user = await readUser(app, realm.id, remembered);
    if (user !== null && isAddressOf(folded, [user.delivery_email, apiEmail(app, realm, user)])) return user;
  }
  const id = await app.reads.read<number>(userKeys.byEmail(realm.id, folded));
  if (id === null) return null;
  app.userIds.set(realm.id, folded, id);
  return await readUser(app, realm.id, id);
}

function isAddressOf(folded: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => foldEmail(address) === folded);
}

/** All accounts of an organization by id, the server's own bot left out. */
export async function listUsers({ store }: ChatApp, realmId: number): Promise<UserRecord[]> {
  const users = await listValues<UserRecord>(store.kv, userKeys.users(realmId));
  return users.filter(({ is_system_bot }) => is_system_bot !== true);
}

/**
 * An account as a transaction sees it.
 * @throws AppError BAD_REQUEST when there is none with this id.
 */
export async function getUser(tx: Tx, realmId: number, id: number): Promise<UserRecord> {
  const user = Number.isSafeInteger(id) ? await tx.get<UserRecord>(userKeys.user(realmId, id)) : null;
  if (user === null) throw new AppError("BAD_REQUEST", "No such user");
  return user;
}

/**
 * Writes an account and what is found and counted by it: its address, the organization's owners, its owner's bots.
 * @throws AppError BAD_REQUEST when another account has the address, or its owner has as many bots as one may have.
 */
export async function putUser(tx: Tx, realmId: number, user: UserRecord): Promise<void> {
  const before = await tx.get<UserRecord>(userKeys.user(realmId, user.id));
  const isNewAddress = before === null ||
    foldEmail(before.delivery_email) !== foldEmail(user.delivery_email);
  if (isNewAddress) await claimAddress(tx, realmId, { before, user });
  await countOwner(tx, realmId, { before, user });
  await noteBotOwner(tx, realmId, { before, user });
  tx.set(userKeys.user(realmId, user.id), user);
  tx.sum(userKeys.version(realmId), 1n);
  tx.ring(accountSignal(realmId, user.id));
}

/** What a change of an account rings, and the end of one of its sessions. */
export function accountSignal(realmId: number, userId: number): string {
  return `account ${realmId} ${userId}`;
}

interface UserChange {
  readonly before: UserRecord | null;
  readonly user: UserRecord;
}

async function claimAddress(tx: Tx, realmId: number, { before, user }: UserChange): Promise<void> {
  const key = userKeys.byEmail(realmId, user.delivery_email);
  if (await tx.get<number>(key) !== null) throw new AppError("BAD_REQUEST", "Email is already in use.");
  if (before !== null) tx.delete(userKeys.byEmail(realmId, before.delivery_email));
  tx.set(key, user.id);
}
