import { z } from "zod";
import { profileDataSchema } from "../profile_fields/schema.ts";
import { userSchema } from "../users/schema.ts";

const accountSchema = userSchema.extend({
  profile_data: profileDataSchema.optional().meta({
    description: "Values of profile fields by the field's id; there for people, when asked for.",
  }),
}).meta({ id: "Account" });

/** One account. */
export const oneAccountSchema = z.object({ user: accountSchema });

/** Every account that the caller may know of. */
export const membersSchema = z.object({ members: z.array(accountSchema) });

/** The id of what was made. */
export const madeUserSchema = z.object({ user_id: z.int() });

/** Of these nothing can be set here, so they are always the same. */
const defaults = {
  default_sending_stream: z.null(),
  default_events_register_stream: z.null(),
  default_all_public_streams: z.boolean(),
};

/** A bot that was just made. */
export const madeBotSchema = z.object({
  user_id: z.int(),
  api_key: z.string(),
  avatar_url: z.string(),
  ...defaults,
});

/** The active bots that the caller owns. */
export const botsSchema = z.object({
  bots: z.array(z.object({
    user_id: z.int(),
    username: z.string(),
    full_name: z.string(),
    api_key: z.string(),
    avatar_url: z.string(),
    ...defaults,
  })),
});

/** A bot after a change. */
export const updatedBotSchema = z.object({
  full_name: z.string(),
  avatar_url: z.string(),
  bot_owner: z.string().optional().meta({ description: "The owner's API address." }),
  ...defaults,
});

/** A new key. */
export const apiKeySchema = z.object({ api_key: z.string() });

/** Where one's picture is from now on. */
export const avatarSchema = z.object({ avatar_url: z.string() });
