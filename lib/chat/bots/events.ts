import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { sendUserEvent } from "../users/events.ts";
import { isAdmin, userKeys, type UserRecord } from "../users/model.ts";
import { toEventBot } from "./api.ts";
import { sendEvent } from "../events/send_events.ts";

/** Operation and data of a realm_bot event. */
export interface BotEvent {
  readonly op: "add" | "update" | "delete";
  readonly bot: Readonly<Record<string, unknown>>;
}

interface BotEventContext {
  readonly app: Pick<ChatApp, "clock" | "config">;
  readonly tx: Tx;
  readonly realm: RealmRecord;
}

/** Sends a bot event to administrators and to the bot's owner. */
export async function sendBotEvents(
  context: BotEventContext,
  bot: UserRecord,
  botEvent: BotEvent,
): Promise<void> {
  sendBotEventToAdmins(context, botEvent);
  await sendBotEventToOwner(context, bot, botEvent);
}

/** Sends the events of a bot that has a new owner. */
export async function sendBotOwnerEvents(
  context: BotEventContext,
  { before, bot }: { before: UserRecord; bot: UserRecord },
): Promise<void> {
  const { app, tx, realm } = context;
  const person = { user_id: bot.id, bot_owner_id: bot.bot_owner_id };
  const about = { realm, user: bot, now: app.clock.now() };
  sendUserEvent(tx, about, { type: "realm_user", op: "update", person });
  sendBotEventToAdmins(context, { op: "update", bot: { user_id: bot.id, owner_id: bot.bot_owner_id } });
  await sendBotEventToOwner(context, before, { op: "delete", bot: { user_id: bot.id } });
  await sendBotEventToOwner(context, bot, { op: "add", bot: toEventBot(app, realm, bot) });
}

/** Sends a bot event to administrators. */
function sendBotEventToAdmins({ app, tx, realm }: BotEventContext, botEvent: BotEvent): void {
  const event = { type: "realm_bot", ...botEvent };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: "admins" });
}

/** Sends a bot event to the bot's owner, unless they receive it as an administrator. */
async function sendBotEventToOwner(
  { app, tx, realm }: BotEventContext,
  bot: UserRecord,
  botEvent: BotEvent,
): Promise<void> {
  if (bot.bot_owner_id === null) return;
  const owner = await tx.peek<UserRecord>(userKeys.user(realm.id, bot.bot_owner_id));
  if (owner === null || isAdmin(owner)) return;
  const event = { type: "realm_bot", ...botEvent };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: [owner.id] });
}
