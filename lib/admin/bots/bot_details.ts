import { messageKeys, type MessageRecord } from "@/lib/chat/messages/model.ts";
import { hasOutgoingWebhook } from "@/lib/chat/webhooks/model.ts";
import { listDeliveries } from "@/lib/chat/webhooks/manage_webhook.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";

/** Maximum number of deliveries that the page lists. */
const MAX_DELIVERIES = 20;

/** A message that was posted to the address of a bot. */
export interface ShownDelivery {
  readonly messageId: number;
  readonly trigger: "mention" | "direct_message";
  readonly status: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** Milliseconds since 1970 UTC. */
  readonly updatedAt: number;
}

/** Properties of a bot on its page. */
export interface BotDetails {
  /** Address that messages are posted to; null for other kinds of bots. */
  readonly payloadUrl: string | null;
  /** Time of the last message in milliseconds since 1970 UTC; null without one. */
  readonly lastMessageAt: number | null;
  /** The newest deliveries, newest first; null for bots without an address. */
  readonly deliveries: readonly ShownDelivery[] | null;
}

/** Loads the properties of a bot; deliveries only for viewers who may manage it. */
export async function loadBotDetails(
  request: AdminRequest,
  bot: UserRecord,
  mayManage: boolean,
): Promise<BotDetails> {
  const { chat, caller } = request;
  const hasDeliveries = mayManage && hasOutgoingWebhook(bot);
  const [lastMessageAt, deliveries] = await Promise.all([
    readLastMessageTime(request, bot),
    hasDeliveries ? listDeliveries(chat, caller, bot.id) : null,
  ]);
  return {
    payloadUrl: bot.outgoing_webhook?.payload_url ?? null,
    lastMessageAt,
    deliveries: deliveries?.slice(0, MAX_DELIVERIES).map((delivery) => ({
      messageId: delivery.message_id,
      trigger: delivery.trigger,
      status: delivery.status,
      attempts: delivery.attempts,
      httpStatus: delivery.http_status,
      error: delivery.error,
      updatedAt: delivery.updated_at * 1000,
    })) ?? null,
  };
}

async function readLastMessageTime(
  { chat, realm }: AdminRequest,
  { id }: UserRecord,
): Promise<number | null> {
  const prefix = [...messageKeys.sentBy(realm.id, id)];
  for await (const { key } of chat.store.kv.list({ prefix }, { limit: 1, reverse: true })) {
    const message = await chat.reads.read<MessageRecord>(messageKeys.message(realm.id, Number(key.at(-1))));
    return message?.sent_at ?? null;
  }
  return null;
}
