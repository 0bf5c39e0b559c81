import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { realmHost, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { updateWebhookIndex } from "@/lib/chat/people/webhooks.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { type Owner, ownerOf, StoredIds } from "../organization/collection.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  EMAIL_VISIBILITY,
  foldEmail,
  isActiveOwner,
  isBot,
  ROLE,
  userKeys,
  type UserRecord,
} from "../organization/users/model.ts";
import { accountSignal } from "../organization/users/store.ts";

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

/** The ids of the active bots of each user; they must fit into one transaction when deactivated together. */
export const ownedBots = new StoredIds<Owner>({
  key: ({ realm, actingUser }) => [realm.id, "bots", actingUser.id],
  max: 80,
  full: (max) => `One account can own ${max} active bots at most.`,
  fullDetails: { field: "bot_owner_id" },
});

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
  if (from !== null) await ownedBots.toggle(tx, ownerOf(realmId, from), { id: user.id, isIn: false });
  if (to !== null) await ownedBots.toggle(tx, ownerOf(realmId, to), { id: user.id, isIn: true });
}

/** Returns the owner whose list contains a user; null for humans, inactive bots and bots without an owner. */
export function indexedOwnerId(user: UserRecord): number | null {
  return isBot(user) && user.is_active ? user.bot_owner_id : null;
}

const GENERIC_BOT = 1;

const botKey = (realmId: number): Key => [realmId, "notification_bot"];

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
