import { createHmac } from "node:crypto";
import { isForbiddenLiteral } from "@/lib/core/pinned_post.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import {
  OUTGOING_WEBHOOK_BOT,
  type OutgoingWebhook,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { StoredIds } from "@/lib/chat/organization/collection.ts";

/** Number of a bot's newest deliveries that its owner sees. */
export const MAX_SHOWN_DELIVERIES = 50;
/** Time that deliveries are kept, in milliseconds. */
export const DELIVERY_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
/** Maximum length of an address that messages are posted to, in UTF-16 units. */
const MAX_PAYLOAD_URL = 2000;
/** The only format of payloads: the generic one. */
const GENERIC_INTERFACE = 1;

/** Reason for which a message is posted to a bot's address. */
export type WebhookTrigger = "mention" | "direct_message";

/** A message to post to the address of a bot. */
export interface WebhookJob {
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Milliseconds since 1970 UTC. */
  readonly queued_at: number;
}

/** State of a message's delivery to the address of a bot. */
export interface WebhookDelivery {
  readonly message_id: number;
  readonly trigger: WebhookTrigger;
  readonly status: "waiting" | "delivered" | "failed";
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Status of the last response; null without one. */
  readonly http_status: number | null;
  /** Reason of the last failure; null after a success. */
  readonly error: string | null;
  /** Id of the message with which the bot answered; null for none. */
  readonly answer_message_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly queued_at: number;
  /** Time of the last change, in milliseconds since 1970 UTC. */
  readonly updated_at: number;
}

/** Bot and message of a delivery. */
interface WebhookTarget {
  readonly realmId: number;
  readonly botId: number;
  readonly messageId: number;
}

export const webhookKeys = {
  /** Prefix of the deliveries of a bot, ordered by message. */
  deliveries: (realmId: number, botId: number): Key => [realmId, "webhook_delivery", botId],
  delivery: ({ realmId, botId, messageId }: WebhookTarget): Key => [
    ...webhookKeys.deliveries(realmId, botId),
    messageId,
  ],
  /** Prefix of the jobs, ordered by due time in milliseconds since 1970 UTC. */
  jobs: ["webhook"],
  job: (due: number, { realmId, botId, messageId }: WebhookTarget): Key => [
    "webhook",
    due,
    realmId,
    botId,
    messageId,
  ],
} as const;

export function getWebhookTarget({ key }: Pick<Entry<WebhookJob>, "key">): WebhookTarget {
  const [realmId = 0, botId = 0, messageId = 0] = key.slice(2).map(Number);
  return { realmId, botId, messageId };
}

/** Returns whether messages are posted for a user: an active outgoing webhook bot with an address. */
export function hasOutgoingWebhook(user: UserRecord): boolean {
  return user.bot_type === OUTGOING_WEBHOOK_BOT && user.is_active && user.outgoing_webhook !== undefined;
}

/** @throws AppError BAD_REQUEST for an address that cannot be posted to, or another format than the generic one. */
export function requireOutgoingWebhook(
  { config }: Pick<ChatApp, "config">,
  { payload_url, interface_type }: { payload_url: string; interface_type: number },
): OutgoingWebhook {
  const url = URL.parse(payload_url);
  const isWebAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === "" &&
    url.password === "";
  if (!isWebAddress || payload_url.length > MAX_PAYLOAD_URL) {
    throw new AppError("BAD_REQUEST", "payload_url is not a URL", { field: "payload_url" });
  }
  if (isForbiddenLiteral(url, config.webhookInternalNetworks)) {
    throw new AppError("BAD_REQUEST", "payload_url must not be an internal address", {
      field: "payload_url",
    });
  }
  if (interface_type !== GENERIC_INTERFACE) throw new AppError("BAD_REQUEST", "Invalid interface type");
  return { payload_url: url.href, interface_type: GENERIC_INTERFACE };
}

/**
 * Returns the token by which a bot's address recognizes this server: 32 hexadecimal digits that change with the
 * bot's API key and, like it, are not stored.
 */
export function deriveWebhookToken(
  { secretKey }: Pick<ChatApp, "secretKey">,
  realmId: number,
  bot: Pick<UserRecord, "id" | "key_generation">,
): string {
  const text = `webhook token|${realmId}|${bot.id}|${bot.key_generation}`;
  return createHmac("sha256", secretKey).update(text).digest("hex").slice(0, 32);
}

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
