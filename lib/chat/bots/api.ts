import { z } from "zod";
import type { ChatApp } from "../app.ts";
import { deriveApiKey } from "../auth/model.ts";
import type { RealmRecord } from "../organizations/model.ts";
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
} from "../params/param.ts";
import { toAvatarUrl } from "../users/api.ts";
import { ROLES, type UserRecord } from "../users/model.ts";
import { deriveWebhookToken } from "../webhooks/model.ts";

/** Parameters of POST /bots. */
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

/** Parameters of PATCH /bots/{bot_id}. */
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

/** Response schema of a created bot. */
export const createdBotSchema = z.object({
  user_id: z.int(),
  api_key: z.string(),
  avatar_url: z.string(),
  ...defaultsSchema,
});

/** Response schema of the caller's active bots. */
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

/** Response schema of an updated bot. */
export const updatedBotSchema = z.object({
  full_name: z.string(),
  avatar_url: z.string(),
  bot_owner: z.string().optional().meta({ description: "API email address of the owner." }),
  ...defaultsSchema,
});

/** Response schema of a regenerated API key. */
export const botApiKeySchema = z.object({ api_key: z.string() });

const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};

/** Returns the fields shared by all representations of a bot. */
export function toCommonBotFields(app: Pick<ChatApp, "config">, realm: RealmRecord, bot: UserRecord) {
  return { avatar_url: toAvatarUrl(bot, { app, realm, viewer: null }), ...DEFAULTS };
}

/** Returns a created bot with its API key. */
export function toCreatedBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    api_key: deriveApiKey(app, realm.id, bot),
    ...toCommonBotFields(app, realm, bot),
  };
}

/** Returns a bot with its API key, as its owner sees it. */
export function toOwnBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: deriveApiKey(app, realm.id, bot),
    ...toCommonBotFields(app, realm, bot),
    ...(bot.outgoing_webhook === undefined ? {} : { services: toOwnServices(app, realm, bot) }),
  };
}

function toOwnServices(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  const token = deriveWebhookToken(app, realm.id, bot);
  return toBotServices(bot).map((service) => ({ ...service, token }));
}

/** Returns the address of an outgoing webhook bot as events carry it, without its token. */
export function toBotServices({ outgoing_webhook }: UserRecord) {
  if (outgoing_webhook === undefined) return [];
  return [{ base_url: outgoing_webhook.payload_url, interface: outgoing_webhook.interface_type }];
}

/**
 * Returns a bot as events carry it. API keys and tokens are never stored, so events do not contain them either.
 */
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
