import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { realmHost, type RealmRecord } from "../organizations/model.ts";
import { putUser } from "./store.ts";
import { EMAIL_VISIBILITY, ROLE, userKeys, type UserRecord } from "./model.ts";

/** Type of the bot: generic. */
const GENERIC_BOT = 1;

const botKey = (realmId: number): Key => [realmId, "notification_bot"];

/** Returns the bot that posts automatic messages in an organization; creates it on first use. */
export async function getNotificationBot(app: ChatApp, realm: RealmRecord): Promise<UserRecord> {
  const id = await app.reads.read<number>(botKey(realm.id));
  const known = id === null ? null : await app.reads.read<UserRecord>(userKeys.user(realm.id, id));
  return known ?? await createNotificationBot(app, realm);
}

/** Returns the bot's address, or another one where an account took it before the bot was needed. */
async function findAddress(app: ChatApp, tx: Tx, realm: RealmRecord): Promise<string> {
  const host = realmHost(app, realm);
  const usual = `notification-bot@${host}`;
  const isFree = await tx.get(userKeys.byEmail(realm.id, usual)) === null;
  return isFree ? usual : `notification-bot-${crypto.randomUUID().slice(0, 8)}@${host}`;
}

function createNotificationBot(app: ChatApp, realm: RealmRecord): Promise<UserRecord> {
  return transact(app.store, async (tx) => {
    const key = botKey(realm.id);
    const made = await tx.get<number>(key);
    const known = made === null ? null : await tx.get<UserRecord>(userKeys.user(realm.id, made));
    if (known !== null) return known;
    const bot: UserRecord = {
      id: await tx.nextId("user"),
      delivery_email: await findAddress(app, tx, realm),
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
    tx.set(key, bot.id);
    return bot;
  });
}
