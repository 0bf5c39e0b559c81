import { z } from "zod";
import { groupSettingSchema } from "../group_setting.ts";
import { permissionsOf } from "../permissions/registry.ts";

/** An organization as a spectator learns of it. */
export const openRealmViewSchema = z.object({
  realm_name: z.string(),
  realm_description: z.string(),
  realm_url: z.string(),
  realm_uri: z.string().meta({ deprecated: true, description: "The same as `realm_url`." }),
  realm_icon_url: z.string(),
  realm_icon_source: z.enum(["G", "U"]).meta({ description: "`U` for an uploaded picture, else `G`." }),
  realm_date_created: z.int().meta({ description: "UNIX seconds." }),
  realm_enable_spectator_access: z.boolean(),
  realm_web_public_access_enabled: z.boolean(),
});

/** An organization as a client learns of it when it registers. */
export const realmViewSchema = openRealmViewSchema.extend({
  realm_waiting_period_threshold: z.int(),
  realm_message_content_edit_limit_seconds: z.int().nullable().meta({ description: "Null is no limit." }),
  realm_name_changes_disabled: z.boolean(),
  realm_email_changes_disabled: z.boolean(),
  realm_presence_disabled: z.boolean(),
  realm_new_stream_announcements_stream_id: z.int().meta({ description: "-1 is none." }),
  realm_emails_restricted_to_domains: z.boolean(),
  realm_disallow_disposable_email_addresses: z.boolean(),
  realm_welcome_message_custom_text: z.string(),
  ...Object.fromEntries(
    permissionsOf("realm").map(({ setting }) => [`realm_${setting}`, groupSettingSchema]),
  ),
});

/** Where the icon is from now on. */
export const iconSchema = z.object({ icon_url: z.string() });

/** A domain of an organization. */
export const realmDomainSchema = z.object({ domain: z.string(), allow_subdomains: z.boolean() });

/** The domains of an organization. */
export const realmDomainsSchema = z.object({ domains: z.array(realmDomainSchema) });
