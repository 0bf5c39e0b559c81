import { createBot, getBotKey, regenerateBotKey } from "@/lib/chat/bots/manage_bots.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organizations/model.ts";
import { isBot, isOwner } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { describeKeyUse } from "../users/key_use.ts";

/** Fields of the form by the parameter that a refusal names. */
const BOT_FIELDS = {
  short_name: "short_name",
  payload_url: "payload_url",
  bot_type: "bot_type",
  full_name: "full_name",
};

/** Data of the page that creates a bot. */
export interface NewBotData {
  readonly kinds: readonly number[];
}

/** The page that creates a bot. */
export const newBotPage: AdminPageSpec<NewBotData> = {
  load: () => Promise.resolve({ kinds: [1, 2, 3] }),
  actions: { create: { run: create, fields: BOT_FIELDS } },
};

/** Data of the page with a bot's API key. */
export interface BotKeyData {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Public address of the organization. */
  readonly site: string;
  /** Whether the viewer owns the bot and may see its current key. */
  readonly isOwn: boolean;
  /** Whether the viewer may replace the key. */
  readonly mayRotate: boolean;
  /** When the key was last used. */
  readonly keyUse: string;
}

/** The page that shows and rotates a bot's API key, which is rendered only in the answer to the form. */
export const botKeyPage: AdminPageSpec<BotKeyData> = {
  load: loadBotKey,
  actions: { show: { run: showKey }, rotate: { run: rotateKey } },
};

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const payloadUrl = fields.exact("payload_url").trim();
  const kind = fields.int("bot_type") ?? 1;
  const { id, full_name } = await createBot(chat, caller, {
    full_name: fields.exact("full_name"),
    short_name: fields.exact("short_name"),
    bot_type: kind,
    payload_url: payloadUrl === "" ? undefined : payloadUrl,
  });
  const text = messages.bots;
  return kind === 1
    ? { flash: formatter.t(text.created, { name: full_name }), to: `/admin/bots/${id}/key` }
    : { flash: formatter.t(text.webhook.created, { name: full_name }), to: `/admin/bots/${id}/webhook` };
}

async function loadBotKey(request: AdminRequest): Promise<BotKeyData | null> {
  const { chat, realm, user } = request;
  const bot = await readUser(chat, realm.id, pathId(request));
  if (bot === null || !isBot(bot) || !bot.is_active || bot.is_system_bot === true) return null;
  const isOwn = bot.bot_owner_id === user.id;
  return {
    ...{ id: bot.id, name: bot.full_name, email: bot.delivery_email, isOwn },
    site: toSite(request, realm),
    mayRotate: isOwn || isOwner(user) || !isOwner(bot),
    keyUse: await describeKeyUse(request, bot),
  };
}

function toSite({ chat }: AdminRequest, realm: RealmRecord): string {
  return realmUrl(chat, realm);
}

/** Shows the key of a bot in the answer to the form alone. */
export async function showKey(request: AdminRequest): Promise<Done> {
  const { api_key } = await getBotKey(request.chat, request.caller, pathId(request));
  return { flash: "", isDraft: true, result: { key: api_key } };
}

async function rotateKey(request: AdminRequest): Promise<Done> {
  const { api_key } = await regenerateBotKey(request.chat, request.caller, pathId(request));
  return { flash: "", isDraft: true, result: { key: api_key, isNew: true } };
}
