import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { realmHost, type RealmRecord } from "../realm/realm.ts";
import { addUser } from "../permissions/add_user.ts";
import type { Caller } from "../users/caller.ts";
import { requireFullName } from "../users/full_name.ts";
import { BOT_TYPES, type BotType, ROLE, userKeys, type UserRecord } from "../users/user.ts";
import { accountQueue } from "./account_queue.ts";
import { noteAccount } from "./note_account.ts";
import { getActor } from "./rights.ts";
import { tellOfBot } from "./tell_of_bot.ts";
import { toToldBot } from "./view.ts";

/** Kinds of bots that somebody may make; the others need services that nothing here calls. */
const OFFERED_TYPES: readonly BotType[] = [1, 2];
/** With `-bot` behind it, this is a mailbox's name of 64 characters at most. */
const SHORT_NAME = /^[A-Za-z0-9._%+-]{1,60}$/;

/** What makes a new bot. */
export interface NewBot {
  readonly full_name: string;
  readonly short_name: string;
  readonly bot_type: number;
}

/**
 * Makes a bot that the caller owns, and tells him and the administrators.
 * @throws AppError BAD_REQUEST for a bad or taken name, an unknown kind, or too many bots.
 */
export async function createBot(
  app: ChatApp,
  { realm, actingUser }: Caller,
  wanted: NewBot,
): Promise<UserRecord> {
  const type = OFFERED_TYPES.find((offered) => offered === wanted.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type");
  return await transact(app.store, async (tx) => {
    const owner = await getActor(tx, realm.id, actingUser);
    const bot = await addBot(app, tx, { realm, owner, wanted });
    noteAccount({ app, tx, realm }, { actor: owner, user: bot, what: "created" });
    return bot;
  }, accountQueue(realm.id));
}

/**
 * Adds a bot of any kind: a member, or a guest where its owner is one.
 * @throws AppError BAD_REQUEST for a bad or taken name, an unknown kind, or too many bots.
 */
export async function addBot(
  app: Pick<ChatApp, "clock" | "config">,
  tx: Tx,
  { realm, owner, wanted }: { realm: RealmRecord; owner: UserRecord; wanted: NewBot },
): Promise<UserRecord> {
  const type = BOT_TYPES.find((known) => known === wanted.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type");
  const shortName = wanted.short_name.trim();
  if (!SHORT_NAME.test(shortName)) throw new AppError("BAD_REQUEST", "Bad name or username");
  const deliveryEmail = `${shortName}-bot@${realmHost(app, realm)}`;
  const fullName = requireFullName(wanted.full_name);
  if (await tx.get(userKeys.byEmail(realm.id, deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", "Username already in use");
  }
  const role = owner.role > ROLE.member ? owner.role : ROLE.member;
  const user = { deliveryEmail, fullName, role, passwordHash: null, bot: { type, ownerId: owner.id } };
  const bot = await addUser(app, tx, { realm, user });
  await tellOfBot({ app, tx, realm }, bot, { op: "add", bot: toToldBot(app, realm, bot) });
  return bot;
}
