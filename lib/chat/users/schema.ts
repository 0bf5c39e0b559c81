import { z } from "zod";

/** An account as the API shows it. */
export const userSchema = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable().meta({
    description: "The real address; null when it is hidden from you.",
  }),
  email: z.string().meta({
    description: "The address that names the account in the API; it may receive no mail.",
  }),
  full_name: z.string(),
  date_joined: z.string().meta({ format: "date-time" }),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  is_imported_stub: z.boolean(),
}).meta({ id: "User" });

/** One's own account. */
export const ownUserSchema = userSchema.extend({
  max_message_id: z.int(),
  profile_data: z.record(z.string(), z.unknown()),
});
