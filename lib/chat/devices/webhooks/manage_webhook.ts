import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { act, getBot, getManagedBot } from "@/lib/chat/organization/users/store.ts";
import type { MessageRecord, VisibleMessage } from "@/lib/chat/messages/model.ts";
import { readMessage } from "@/lib/chat/messages/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  type Caller,
  INCOMING_WEBHOOK_BOT,
  OUTGOING_WEBHOOK_BOT,
  requireCanManageUser,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { CLIENT_NAME, postToWebhook, toWebhookPayload, type WebhookExchange } from "./deliver_webhook.ts";
import { MAX_SHOWN_DELIVERIES, type WebhookDelivery, webhookKeys } from "@/lib/chat/people/webhooks.ts";
import { type IncomingPost, postIncomingWebhook } from "./post_incoming_webhook.ts";

/** Id of the message that is sent to test an address: it is not stored, and no stored message has the id. */
const SAMPLE_ID = 0;

/**
 * Posts a message that names the caller as an incoming webhook does, and returns the message's id.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL, and as posting to the webhook.
 */
export async function testIncomingWebhook(
  app: ChatApp,
  caller: Caller,
  { botId, requested }: { botId: number; requested: IncomingPost["requested"] },
): Promise<number> {
  const { realm } = caller;
  const sender = await getBotOfType(app, caller, { botId, type: INCOMING_WEBHOOK_BOT });
  const body = { text: toTestText(caller) };
  return await postIncomingWebhook(app, { realm, sender, client: CLIENT_NAME }, { requested, body });
}

/** Returns a message with which the caller tested an incoming webhook; null for any other message. */
export async function readTestMessage(
  app: ChatApp,
  caller: Caller,
  { botId, messageId }: { botId: number; messageId: number },
): Promise<MessageRecord | null> {
  const message = await readMessage(app, caller.realm.id, messageId);
  return message?.sender_id === botId && message.content === toTestText(caller) ? message : null;
}

function toTestText({ actingUser: { full_name, id } }: Caller): string {
  return `This is a test of the webhook, sent by @_**${full_name}|${id}**.`;
}

export interface TestDelivery extends WebhookExchange {
  readonly payload: Awaited<ReturnType<typeof toWebhookPayload>>;
  /** Time from the request to the response or the failure, in milliseconds. */
  readonly durationMs: number;
}

/**
 * Posts a sample message to the address of a bot as a delivery does. Nothing is stored, and the answer is not posted.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function testOutgoingWebhook(
  app: ChatApp,
  caller: Caller,
  botId: number,
): Promise<TestDelivery> {
  const bot = await getBotOfType(app, caller, { botId, type: OUTGOING_WEBHOOK_BOT });
  if (bot.outgoing_webhook === undefined) throw new AppError("BAD_REQUEST", "This bot has no address.");
  const payload = await toWebhookPayload(app, {
    permissions: permissionsOf(await app.readOrganization(caller.realm.id), app.clock),
    bot,
    visible: toSample(app, caller, bot),
    trigger: "direct_message",
  });
  const startedAt = app.clock.monotonic();
  const exchange = await postToWebhook(app, bot.outgoing_webhook, payload);
  return { ...exchange, payload, durationMs: app.clock.monotonic() - startedAt };
}

async function getBotOfType(
  app: ChatApp,
  caller: Caller,
  { botId, type }: { botId: number; type: UserRecord["bot_type"] },
): Promise<UserRecord> {
  return await act(app, caller, async (context) => {
    const bot = await getManagedBot(context, botId);
    if (bot.bot_type !== type) throw new AppError("BAD_REQUEST", "Invalid bot type");
    return bot;
  });
}

function toSample({ clock }: ChatApp, { actingUser }: Caller, bot: UserRecord): VisibleMessage {
  const content = "This is a test delivery.";
  const message: MessageRecord = {
    id: SAMPLE_ID,
    sender_id: actingUser.id,
    conversation_id: 0,
    channel_id: null,
    topic: "",
    read_bucket: "",
    content,
    rendered: `<p>${content}</p>`,
    client: CLIENT_NAME,
    sent_at: clock.now(),
    edited_at: null,
    moved_at: null,
    is_me_message: false,
    has_link: false,
    has_image: false,
    has_attachment: false,
    mentions: { user_ids: [], group_ids: [], is_stream_wildcard: false, is_topic_wildcard: false },
  };
  const user_ids = [actingUser.id, bot.id].sort((a, b) => a - b);
  return { message, channel: null, conversation: { id: 0, user_ids }, isReceived: true };
}

/**
 * Returns the newest deliveries of a bot, newest first, to its owner and to administrators.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function listDeliveries(app: ChatApp, caller: Caller, botId: number) {
  const { realm } = caller;
  await act(app, caller, async ({ tx, actingUser }) => {
    requireCanManageUser(actingUser, await getBot(tx, realm.id, botId));
  });
  const prefix = [...webhookKeys.deliveries(realm.id, botId)];
  const entries = app.store.kv.list({ prefix }, { limit: MAX_SHOWN_DELIVERIES, reverse: true });
  const deliveries = [];
  for await (const entry of entries) {
    const { queued_at, updated_at, ...delivery } = toEntry<WebhookDelivery>(entry).value;
    deliveries.push({
      ...delivery,
      queued_at: Math.floor(queued_at / 1000),
      updated_at: Math.floor(updated_at / 1000),
    });
  }
  return deliveries;
}

export const webhookDeliveriesSchema = z.object({
  deliveries: z.array(z.object({
    message_id: z.int(),
    trigger: z.enum(["mention", "direct_message"]),
    status: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int().meta({ description: "Number of attempts so far." }),
    http_status: z.int().nullable().meta({ description: "Status of the last answer." }),
    error: z.string().nullable().meta({ description: "Reason of the last failure." }),
    answer_message_id: z.int().nullable().meta({ description: "Message with which the bot answered." }),
    queued_at: z.int().meta({ description: "Seconds since 1970 UTC." }),
    updated_at: z.int().meta({ description: "Seconds since 1970 UTC." }),
  })).meta({ description: `The newest ${MAX_SHOWN_DELIVERIES} of the last seven days, newest first.` }),
});
