import { z } from "zod";

const absentWithout = "Left out where no organization has the address.";
const externalMethodSchema = z.object({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
});

/** What anybody may know about this server. */
export const serverSettingsSchema = z.object({
  authentication_methods: z.record(z.string(), z.boolean()).meta({ deprecated: true }),
  external_authentication_methods: z.array(externalMethodSchema),
  service_feature_level: z.int(),
  service_version: z.string(),
  service_merge_base: z.string().meta({ description: "Empty when unknown." }),
  push_notifications_enabled: z.boolean(),
  is_incompatible: z.boolean(),
  email_auth_enabled: z.boolean(),
  require_email_format_usernames: z.boolean(),
  realm_url: z.string().optional().meta({ description: absentWithout }),
  realm_uri: z.string().optional().meta({ deprecated: true, description: "The same as `realm_url`." }),
  realm_name: z.string().optional().meta({ description: absentWithout }),
  realm_icon: z.string().optional().meta({ description: absentWithout }),
  realm_description: z.string().optional().meta({ description: `HTML. ${absentWithout}` }),
  realm_web_public_access_enabled: z.boolean().optional().meta({ description: absentWithout }),
});
