import type { ChatApp } from "../app.ts";
import type { ProfileData } from "../profile_fields/values.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { apiKeyOf } from "../users/api_key.ts";
import type { Caller } from "../users/caller.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { avatarUrl, toUser } from "../users/view.ts";

/** How accounts are wanted. */
export interface AccountViewOptions {
  readonly client_gravatar: boolean;
  readonly include_custom_profile_fields: boolean;
}

/** How accounts are wanted by whom, and the values of their profile fields. */
export interface AccountViewer extends Caller {
  readonly options: AccountViewOptions;
  /** Only asked for people, and when the options want it. */
  readonly profileOf: (userId: number) => ProfileData | undefined;
}

/** An account as a list of members holds it. */
export function toAccount(
  app: ChatApp,
  { realm, actingUser, options, profileOf }: AccountViewer,
  user: UserRecord,
) {
  const shown = toUser(user, { app, realm, viewer: actingUser, drawsAvatars: options.client_gravatar });
  if (!options.include_custom_profile_fields || isBot(user)) return shown;
  return { ...shown, profile_data: profileOf(user.id) ?? {} };
}

const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};

/** What of a bot is the same wherever bots are shown. */
export function toBotPicture(app: Pick<ChatApp, "config">, realm: RealmRecord, bot: UserRecord) {
  return { avatar_url: avatarUrl(bot, { app, realm, viewer: null }), ...DEFAULTS };
}

/** A bot that was just made. */
export function toMadeBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  return { user_id: bot.id, api_key: apiKeyOf(app, realm.id, bot), ...toBotPicture(app, realm, bot) };
}

/** A bot as its owner sees it in the list of his. */
export function toOwnBot(app: ChatApp, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    username: bot.delivery_email,
    full_name: bot.full_name,
    api_key: apiKeyOf(app, realm.id, bot),
    ...toBotPicture(app, realm, bot),
  };
}

/** A bot as its owner and administrators are told of it; never its key, which is not stored, in events neither. */
export function toToldBot(app: Pick<ChatApp, "config">, realm: RealmRecord, bot: UserRecord) {
  return {
    user_id: bot.id,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    email: bot.delivery_email,
    is_active: bot.is_active,
    owner_id: bot.bot_owner_id,
    services: [],
    ...toBotPicture(app, realm, bot),
  };
}
