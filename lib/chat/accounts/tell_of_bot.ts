import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { sendUserEvent } from "../users/tell_of_user.ts";
import { isAdmin, userKeys, type UserRecord } from "../users/user.ts";
import { toToldBot } from "./view.ts";

/** What became of a bot. */
export interface BotNews {
  readonly op: "add" | "update" | "delete";
  readonly bot: Readonly<Record<string, unknown>>;
}

interface Telling {
  readonly app: Pick<ChatApp, "clock" | "config">;
  readonly tx: Tx;
  readonly realm: RealmRecord;
}

/** Tells of a bot to administrators, and to its owner. */
export async function tellOfBot(telling: Telling, bot: UserRecord, news: BotNews): Promise<void> {
  tellAdminsOfBot(telling, news);
  await tellBotOwner(telling, bot, news);
}

/** Tells that a bot has another owner than before. */
export async function tellOfNewOwner(
  telling: Telling,
  { before, bot }: { before: UserRecord; bot: UserRecord },
): Promise<void> {
  const { app, tx, realm } = telling;
  const person = { user_id: bot.id, bot_owner_id: bot.bot_owner_id };
  const about = { realm, user: bot, now: app.clock.now() };
  sendUserEvent(tx, about, { type: "realm_user", op: "update", person });
  tellAdminsOfBot(telling, { op: "update", bot: { user_id: bot.id, owner_id: bot.bot_owner_id } });
  await tellBotOwner(telling, before, { op: "delete", bot: { user_id: bot.id } });
  await tellBotOwner(telling, bot, { op: "add", bot: toToldBot(app, realm, bot) });
}

/** Tells of a bot to administrators. */
function tellAdminsOfBot({ app, tx, realm }: Telling, news: BotNews): void {
  const event = { type: "realm_bot", ...news };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: "admins" });
}

/** Tells of a bot to its owner; one who administers is told with the others who do. */
async function tellBotOwner(
  { app, tx, realm }: Telling,
  bot: UserRecord,
  news: BotNews,
): Promise<void> {
  if (bot.bot_owner_id === null) return;
  const owner = await tx.peek<UserRecord>(userKeys.user(realm.id, bot.bot_owner_id));
  if (owner === null || isAdmin(owner)) return;
  const event = { type: "realm_bot", ...news };
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: [owner.id] });
}
