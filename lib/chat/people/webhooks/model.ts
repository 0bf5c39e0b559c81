import { createHmac } from "node:crypto";
import { AppError } from "@/lib/core/errors.ts";
import { isForbiddenLiteral } from "@/lib/core/pinned_post.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  OUTGOING_WEBHOOK_BOT,
  type OutgoingWebhook,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";

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
  /** Status of the last answer; null without one. */
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
