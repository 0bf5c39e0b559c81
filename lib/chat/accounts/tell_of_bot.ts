import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { emit } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { isAdmin, userKeys, type UserRecord } from "../users/user.ts";

/** What became of a bot. */
export interface BotNews {
  readonly op: "add" | "update" | "delete";
  readonly bot: Readonly<Record<string, unknown>>;
}

interface Telling {
  readonly app: Pick<ChatApp, "clock">;
  readonly tx: Tx;
  readonly realm: RealmRecord;
}

/** Tells of a bot to administrators, and to its owner. */
export async function tellOfBot(telling: Telling, bot: UserRecord, news: BotNews): Promise<void> {
  tellAdminsOfBot(telling, news);
  await tellBotOwner(telling, bot, news);
}

/** Tells of a bot to administrators. */
export function tellAdminsOfBot({ app, tx, realm }: Telling, news: BotNews): void {
  const event = { type: "realm_bot", ...news };
  emit(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: "admins" });
}

/** Tells of a bot to its owner; one who administers is told with the others who do. */
export async function tellBotOwner(
  { app, tx, realm }: Telling,
  bot: UserRecord,
  news: BotNews,
): Promise<void> {
  if (bot.bot_owner_id === null) return;
  const owner = await tx.peek<UserRecord>(userKeys.user(realm.id, bot.bot_owner_id));
  if (owner === null || isAdmin(owner)) return;
  const event = { type: "realm_bot", ...news };
  emit(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: [owner.id] });
}
