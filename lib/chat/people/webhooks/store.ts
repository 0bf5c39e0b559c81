import { AppError } from "@/lib/core/errors.ts";
import type { Entry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { StoredIds } from "@/lib/chat/organization/collection.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import {
  DELIVERY_KEPT_MS,
  getWebhookTarget,
  hasOutgoingWebhook,
  type WebhookDelivery,
  type WebhookJob,
  webhookKeys,
  type WebhookTrigger,
} from "./model.ts";

/** The ids of the active bots with an address of each organization. */
export const webhookBots = new StoredIds<number>({
  key: (realmId) => [realmId, "outgoing_webhooks"],
  max: 1000,
  full: (max) => `One organization can have ${max} outgoing webhooks at most.`,
});

/**
 * Updates the list of bots with outgoing webhooks for a user changed from `before`, which is null for a new one.
 * @throws AppError BAD_REQUEST when the organization has too many of them.
 */
export async function updateWebhookIndex(
  tx: Tx,
  realmId: number,
  { before, user }: { before: UserRecord | null; user: UserRecord },
): Promise<void> {
  const isListed = hasOutgoingWebhook(user);
  if (isListed === (before !== null && hasOutgoingWebhook(before))) return;
  await webhookBots.toggle(tx, realmId, { id: user.id, isIn: isListed });
}

/** Returns which of the users are active bots with outgoing webhooks. */
export async function listWebhookBotIds(
  app: Pick<ChatApp, "reads">,
  realmId: number,
  userIds: readonly number[],
): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  const listed = new Set(await webhookBots.read(app, realmId));
  return listed.size === 0 ? [] : [...new Set(userIds)].filter((id) => listed.has(id));
}

/** Enqueues the posting of a message to the addresses of bots in the message's own commit. */
export function enqueueWebhooks(
  tx: Tx,
  { realmId, messageId, now }: { realmId: number; messageId: number; now: number },
  { botIds, trigger }: { botIds: readonly number[]; trigger: WebhookTrigger },
): void {
  for (const botId of botIds) {
    const target = { realmId, botId, messageId };
    tx.set(webhookKeys.job(now, target), { attempts: 0, queued_at: now } satisfies WebhookJob);
    const delivery: WebhookDelivery = {
      message_id: messageId,
      trigger,
      status: "waiting",
      attempts: 0,
      http_status: null,
      error: null,
      answer_message_id: null,
      queued_at: now,
      updated_at: now,
    };
    tx.set(webhookKeys.delivery(target), delivery, { expireIn: DELIVERY_KEPT_MS });
  }
}

/**
 * Ends a leased job within a transaction and records the state of its delivery; null removes the delivery. With
 * `retryAt`, in milliseconds since 1970 UTC, the job is due again.
 * @throws AppError CONFLICT when the lease ended and another process has the job.
 */
export async function endWebhookJob(
  tx: Tx,
  job: Entry<WebhookJob>,
  { delivery, retryAt }: { delivery: WebhookDelivery | null; retryAt?: number | undefined },
): Promise<void> {
  if (await tx.get<WebhookJob>(job.key) === null) {
    throw new AppError("CONFLICT", "Another process has taken over the delivery.");
  }
  const target = getWebhookTarget(job);
  tx.delete(job.key);
  if (retryAt !== undefined) {
    const value: WebhookJob = { ...job.value, attempts: job.value.attempts + 1 };
    tx.set(webhookKeys.job(retryAt, target), value);
  }
  const key = webhookKeys.delivery(target);
  if (delivery === null) tx.delete(key);
  else tx.set(key, delivery, { expireIn: DELIVERY_KEPT_MS });
}
