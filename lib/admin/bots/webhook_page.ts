import { listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { realmUrl } from "@/lib/chat/organizations/model.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import {
  INCOMING_WEBHOOK_BOT,
  OUTGOING_WEBHOOK_BOT,
  requireCanManageUser,
  type UserRecord,
} from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import {
  readTestMessage,
  type TestDelivery,
  testIncomingWebhook,
  testOutgoingWebhook,
} from "@/lib/chat/webhooks/manage_webhook.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { loadBotDetails, type ShownDelivery } from "./bot_details.ts";
import { showKey } from "./bot_pages.ts";

/** Number of characters that are shown of an answer. */
const SHOWN_CHARACTERS = 1000;
const DEFAULT_TOPIC = "JSON";

/** Data of the page of a webhook. */
export interface WebhookData {
  readonly id: number;
  readonly name: string;
  readonly kind: "incoming" | "outgoing";
  /** Address that others post to, without the key, or that messages are posted to. */
  readonly url: string;
  /** Whether the viewer owns the bot and may see its key. */
  readonly isOwn: boolean;
  readonly deliveries: readonly ShownDelivery[];
  /** The message that the viewer's test has just posted; null without one. */
  readonly posted: PostedTest | null;
}

/** A message that tested an incoming webhook. */
export interface PostedTest {
  readonly id: number;
  /** Null for a direct message; the name is missing if the viewer may not see the channel. */
  readonly channel: { readonly id: number; readonly name: string | null } | null;
  readonly topic: string;
  readonly content: string;
}

/** A request that tested an outgoing webhook. */
export interface ShownTestDelivery {
  /** Body of the request, without the token. */
  readonly request: string;
  readonly status: number | null;
  readonly error: string | null;
  /** First characters of the answer; null without one. */
  readonly answer: string | null;
  readonly isCut: boolean;
  /** Message that the bot would post; null for none. */
  readonly content: string | null;
  /** Milliseconds. */
  readonly duration: number;
}

/** The page of an incoming or outgoing webhook, which shows its address and tests it. */
export const webhookPage: AdminPageSpec<WebhookData> = {
  load: loadWebhook,
  actions: { show: { run: showKey }, test: { run: test, fields: { topic: "topic", to: "stream" } } },
};

async function loadWebhook(request: AdminRequest): Promise<WebhookData | null> {
  const { chat, realm, user } = request;
  const bot = await readUser(chat, realm.id, pathId(request));
  if (bot === null || !bot.is_active) return null;
  const kind = bot.bot_type === INCOMING_WEBHOOK_BOT
    ? "incoming"
    : bot.bot_type === OUTGOING_WEBHOOK_BOT
    ? "outgoing"
    : null;
  if (kind === null) return null;
  requireCanManageUser(user, bot);
  const { payloadUrl, deliveries } = await loadBotDetails(request, bot, true);
  return {
    ...{ id: bot.id, name: bot.full_name, kind, isOwn: bot.bot_owner_id === user.id },
    url: payloadUrl ?? `${realmUrl(chat, realm)}/api/v1/external/json`,
    deliveries: deliveries ?? [],
    posted: kind === "incoming" ? await readPosted(request, bot) : null,
  };
}

/** Reads the message that the page's address names after a test. */
async function readPosted(request: AdminRequest, bot: UserRecord): Promise<PostedTest | null> {
  const { chat, caller, realm, user, query } = request;
  const messageId = Number(/^\d{1,15}$/.exec(query.get("message") ?? "")?.[0]);
  if (Number.isNaN(messageId)) return null;
  const message = await readTestMessage(chat, caller, { botId: bot.id, messageId });
  if (message === null) return null;
  const { id, channel_id, topic } = message;
  // The mention of the viewer reads as their name.
  const content = message.content.replace(/@_\*\*(.*)\|\d+\*\*/, "$1");
  if (channel_id === null) return { id, channel: null, topic, content };
  const visible = await listVisibleChannels(chat, await peekPermissionContext(chat, realm), user);
  const name = visible.find(({ channel }) => channel.id === channel_id)?.channel.name ?? null;
  return { id, channel: { id: channel_id, name }, topic, content };
}

async function test(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, realm, services, formatter, messages } = request;
  await services.limiter?.consume("webhook_test", String(realm.id));
  const botId = pathId(request);
  if ((await readUser(chat, realm.id, botId))?.bot_type === OUTGOING_WEBHOOK_BOT) {
    const delivery = toShown(await testOutgoingWebhook(chat, caller, botId));
    return { flash: "", isDraft: true, result: { delivery } };
  }
  const stream = fields.text("stream").trim();
  const topic = fields.text("topic").trim();
  const id = await testIncomingWebhook(chat, caller, {
    botId,
    requested: { stream: stream === "" ? undefined : stream, topic: topic === "" ? DEFAULT_TOPIC : topic },
  });
  return {
    flash: formatter.t(messages.bots.webhook.posted, { id }),
    to: `/admin/bots/${botId}/webhook?message=${id}`,
  };
}

function toShown({ outcome, body: received, payload, durationMs }: TestDelivery): ShownTestDelivery {
  // A server may repeat the request.
  const body = received?.replaceAll(payload.token, "…") ?? null;
  return {
    request: JSON.stringify({ ...payload, token: "…" }, null, 2),
    status: outcome.status,
    error: outcome.kind === "failed" ? outcome.error : null,
    answer: body === null ? null : cut(body),
    isCut: body !== null && body.length > SHOWN_CHARACTERS,
    content: outcome.kind === "answered" && outcome.content !== null ? cut(outcome.content) : null,
    duration: Math.round(durationMs),
  };
}

function cut(text: string): string {
  return text.slice(0, SHOWN_CHARACTERS).toWellFormed();
}
