import { z } from "zod";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { deriveApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import {
  boundedString,
  described,
  exact,
  int,
  intChoice,
  optional,
  text,
  textOrJson,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { toAvatarUrl } from "@/lib/chat/people/users/api.ts";
import { sendProfileEvent } from "@/lib/chat/organization/users/events.ts";
import { isAdmin, ROLES, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { deriveWebhookToken } from "@/lib/chat/people/webhooks.ts";

export const createBotParams = {
  full_name: exact(text()),
  short_name: described(exact(text()), "Start of the bot's email address, followed by `-bot`."),
  bot_type: described(withDefault(int(), 1), "Bot type: 1 generic, 2 incoming webhook, 3 outgoing webhook."),
  payload_url: described(
    optional(exact(textOrJson(boundedString()))),
    "Address that messages for an outgoing webhook bot are posted to; required for such bots.",
  ),
  interface_type: described(withDefault(int(), 1), "Format of the payload: 1 is the only one."),
};

export const updateBotParams = {
  full_name: optional(exact(text())),
  role: described(
    optional(intChoice(ROLES)),
    "New role; not above your own unless you are an administrator.",
  ),
  bot_owner_id: described(optional(int()), "Id of the new owner, an active human."),
  service_payload_url: described(
    optional(exact(textOrJson(boundedString()))),
    "Address that messages for an outgoing webhook bot are posted to.",
  ),
  service_interface: described(optional(int()), "Format of the payload: 1 is the only one."),
};

/** Constant fields of bots, which clients expect. */
const defaultsSchema = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
};

export const createdBotSchema = z.object({
  user_id: z.int(),
  api_key: z.string(),
  avatar_url: z.string(),
  ...defaultsSchema,
});

export const ownBotsSchema = z.object({
  bots: z.array(z.object({
    user_id: z.int(),
    username: z.string(),
    full_name: z.string(),
    api_key: z.string(),
    avatar_url: z.string(),
    ...defaultsSchema,
    services: z.array(z.object({ base_url: z.string(), interface: z.int(), token: z.string() })).optional()
      .meta({ description: "Address and token of an outgoing webhook bot." }),
  })),
});

export const updatedBotSchema = z.object({
  full_name: z.string(),
  avatar_url: z.string(),
  bot_owner: z.string().optional().meta({ description: "API email address of the owner." }),
  ...defaultsSchema,
});

export const botApiKeySchema = z.object({ api_key: z.string() });

const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};

export function toCommonBotFields(app: Pick<ChatApp, "config">, realm: RealmRecord, bot: UserRecord) {
  return { avatar_url: toAvatarUrl(bot, { app, realm, viewer: null }), ...DEFAULTS };
}

export function toCreatedBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    api_key: deriveApiKey(app, realm.id, bot),
    ...toCommonBotFields(app, realm, bot),
  };
}

export function toOwnBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  const token = deriveWebhookToken(app, realm.id, bot);
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: deriveApiKey(app, realm.id, bot),
    ...toCommonBotFields(app, realm, bot),
    ...bot.outgoing_webhook === undefined
      ? {}
      : { services: toBotServices(bot).map((service) => ({ ...service, token })) },
  };
}

/** Returns the address of an outgoing webhook bot as events carry it, without its token. */
export function toBotServices({ outgoing_webhook }: UserRecord) {
  if (outgoing_webhook === undefined) return [];
  return [{ base_url: outgoing_webhook.payload_url, interface: outgoing_webhook.interface_type }];
}

/** Returns a bot as events carry it, without API key and token, as these are never stored. */
export function toEventBot(app: Pick<ChatApp, "config">, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    email: bot.delivery_email,
    is_active: bot.is_active,
    owner_id: bot.bot_owner_id,
    services: toBotServices(bot),
    ...toCommonBotFields(app, realm, bot),
  };
}

interface BotEvent {
  readonly op: "add" | "update" | "delete";
  readonly bot: Readonly<Record<string, unknown>>;
}

type BotEventContext = Pick<ChangeContext, "app" | "tx" | "realm">;

export async function sendBotEvents(
  context: BotEventContext,
  bot: UserRecord,
  botEvent: BotEvent,
): Promise<void> {
  sendBotEventToAdmins(context, botEvent);
  await sendBotEventToOwner(context, bot, botEvent);
}

export async function sendBotOwnerEvents(
  context: BotEventContext,
  { before, bot }: { before: UserRecord; bot: UserRecord },
): Promise<void> {
  const { app, realm } = context;
  sendProfileEvent(context, bot, { bot_owner_id: bot.bot_owner_id });
  sendBotEventToAdmins(context, { op: "update", bot: { user_id: bot.id, owner_id: bot.bot_owner_id } });
  await sendBotEventToOwner(context, before, { op: "delete", bot: { user_id: bot.id } });
  await sendBotEventToOwner(context, bot, { op: "add", bot: toEventBot(app, realm, bot) });
}

function sendBotEventToAdmins(context: BotEventContext, botEvent: BotEvent): void {
  sendChangeEvent(context, { type: "realm_bot", ...botEvent }, "admins");
}

/** Sends a bot event to the bot's owner, unless they receive it as an administrator. */
async function sendBotEventToOwner(
  context: BotEventContext,
  bot: UserRecord,
  botEvent: BotEvent,
): Promise<void> {
  if (bot.bot_owner_id === null) return;
  const owner = await context.tx.peek<UserRecord>(userKeys.user(context.realm.id, bot.bot_owner_id));
  if (owner === null || isAdmin(owner)) return;
  sendChangeEvent(context, { type: "realm_bot", ...botEvent }, [owner.id]);
}
