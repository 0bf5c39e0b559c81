import { profileDataParam } from "../profile_fields/params.ts";
import { bool, described, int, intChoice, intList, optional, text, withDefault } from "../params/param.ts";
import { ROLES } from "../users/user.ts";

/** What every answer with accounts can be asked for. */
export const accountViewParams = {
  client_gravatar: described(
    withDefault(bool(), true),
    "Whether the client draws pictures for those who uploaded none; their `avatar_url` is then null.",
  ),
  include_custom_profile_fields: described(
    withDefault(bool(), false),
    "Whether people come with `profile_data`, the values of their profile fields.",
  ),
};

/** Which accounts are wanted, and how. */
export const listAccountsParams = {
  ...accountViewParams,
  user_ids: described(optional(intList()), "Only these; ids that you may not know of are left out."),
};

/** A new person. */
export const createUserParams = {
  email: text(),
  password: text({ min: 1 }),
  full_name: text(),
};

/** What of an account can be changed for it. */
export const updateUserParams = {
  full_name: optional(text()),
  role: optional(intChoice(ROLES)),
  new_email: described(
    optional(text()),
    "The real address; administrators change it without asking its holder.",
  ),
  profile_data: profileDataParam,
};

/** A new bot. */
export const createBotParams = {
  full_name: text(),
  short_name: described(text(), "The bot's address begins with this, followed by `-bot`."),
  bot_type: described(withDefault(int(), 1), "1 generic, 2 incoming webhook."),
};

/** What of a bot can be changed. */
export const updateBotParams = {
  full_name: optional(text()),
  role: described(optional(intChoice(ROLES)), "At most your own, unless you are an administrator."),
  bot_owner_id: described(optional(int()), "The id of the person who is to own the bot."),
};
