import { toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { getActingUser, getBot } from "../users/store.ts";
import { type Caller, requireCanManageUser } from "../users/model.ts";
import { toWebhookDelivery } from "./api.ts";
import { MAX_SHOWN_DELIVERIES, type WebhookDelivery, webhookKeys } from "./model.ts";

/**
 * Returns the newest deliveries of a bot, newest first, to its owner and to administrators.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function listDeliveries(app: ChatApp, { realm, actingUser }: Caller, botId: number) {
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    requireCanManageUser(actor, await getBot(tx, realm.id, botId));
  });
  const prefix = [...webhookKeys.deliveries(realm.id, botId)];
  const entries = app.store.kv.list({ prefix }, { limit: MAX_SHOWN_DELIVERIES, reverse: true });
  const deliveries = [];
  for await (const entry of entries) {
    deliveries.push(toWebhookDelivery(toEntry<WebhookDelivery>(entry).value));
  }
  return deliveries;
}
