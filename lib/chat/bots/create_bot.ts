import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { realmHost, type RealmRecord } from "../organizations/model.ts";
import { addUser } from "../permissions/add_user.ts";
import {
  BOT_TYPES,
  type BotType,
  type Caller,
  OUTGOING_WEBHOOK_BOT,
  requireFullName,
  ROLE,
  userKeys,
  type UserRecord,
} from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { auditUser } from "../users/events.ts";
import { requireOutgoingWebhook } from "../webhooks/model.ts";
import { sendBotEvents } from "./events.ts";
import { toEventBot } from "./api.ts";

/** Types that users can create; embedded bots do not exist here. */
const ALLOWED_TYPES: readonly BotType[] = [1, 2, 3];
/** Leaves room for `-bot`: the local part of an address has at most 64 characters. */
const SHORT_NAME = /^[A-Za-z0-9._%+-]{1,60}$/;

/** Properties of a bot to create. */
export interface NewBot {
  readonly full_name: string;
  readonly short_name: string;
  readonly bot_type: number;
  /** Address of an outgoing webhook bot; ignored for other types. */
  readonly payload_url?: string | undefined;
  readonly interface_type?: number | undefined;
}

/**
 * Creates a bot owned by the caller.
 * @throws AppError BAD_REQUEST for an invalid or taken name, an unknown type, or too many bots.
 */
export async function createBot(
  app: ChatApp,
  { realm, actingUser }: Caller,
  newBot: NewBot,
): Promise<UserRecord> {
  const type = ALLOWED_TYPES.find((allowed) => allowed === newBot.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type", { field: "bot_type" });
  if (type === OUTGOING_WEBHOOK_BOT && newBot.payload_url === undefined) {
    throw new AppError("BAD_REQUEST", "payload_url is not a URL", { field: "payload_url" });
  }
  return await transact(app.store, async (tx) => {
    const owner = await getActingUser(tx, realm.id, actingUser);
    const bot = await addBot(app, tx, { realm, owner, newBot });
    auditUser({ app, tx, realm }, { actor: owner, user: bot, action: "created" });
    return bot;
  });
}

/**
 * Adds a bot of any type within a transaction. The bot is a member, or a guest if its owner is one.
 * @throws AppError BAD_REQUEST for an invalid or taken name, an unknown type, or too many bots.
 */
export async function addBot(
  app: Pick<ChatApp, "clock" | "config">,
  tx: Tx,
  { realm, owner, newBot }: { realm: RealmRecord; owner: UserRecord; newBot: NewBot },
): Promise<UserRecord> {
  const type = BOT_TYPES.find((known) => known === newBot.bot_type);
  if (type === undefined) throw new AppError("BAD_REQUEST", "Invalid bot type", { field: "bot_type" });
  const shortName = newBot.short_name.trim();
  if (!SHORT_NAME.test(shortName)) {
    throw new AppError("BAD_REQUEST", "Bad name or username", { field: "short_name" });
  }
  const deliveryEmail = `${shortName}-bot@${realmHost(app, realm)}`;
  const fullName = requireFullName(newBot.full_name);
  if (await tx.get(userKeys.byEmail(realm.id, deliveryEmail)) !== null) {
    throw new AppError("BAD_REQUEST", "Username already in use", { field: "short_name" });
  }
  const role = owner.role > ROLE.member ? owner.role : ROLE.member;
  const { payload_url, interface_type = 1 } = newBot;
  const outgoingWebhook = type === OUTGOING_WEBHOOK_BOT && payload_url !== undefined
    ? requireOutgoingWebhook(app, { payload_url, interface_type })
    : undefined;
  const kind = { type, ownerId: owner.id, outgoingWebhook };
  const user = { deliveryEmail, fullName, role, passwordHash: null, bot: kind };
  const bot = await addUser(app, tx, { realm, user });
  await sendBotEvents({ app, tx, realm }, bot, { op: "add", bot: toEventBot(app, realm, bot) });
  return bot;
}
