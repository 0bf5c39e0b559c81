import { z } from "zod";
import project from "@/deno.json" with { type: "json" };
import type { ChatApp } from "@/lib/chat/app.ts";
import { escapeHtml } from "@/lib/core/html.ts";
import { iconUrl, type RealmRecord, realmUrl } from "../model.ts";

/** Version information in API responses. */
export const SERVICE_VERSION = {
  /** API feature level, which clients compare with the level that introduced a feature. */
  service_feature_level: 500,
  service_version: project.version,
  /** Empty, as releases are identified by their version alone. */
  service_merge_base: "",
} as const;

/** Authentication methods by their API names; only passwords are supported. */
const AUTHENTICATION_METHODS = {
  password: true,
  email: true,
  dev: false,
  ldap: false,
  remoteuser: false,
  saml: false,
  "openid connect": false,
  apple: false,
  auth0: false,
  azuread: false,
  github: false,
  gitlab: false,
  google: false,
} as const;

const ABSENT_WITHOUT_REALM = "Omitted when the address belongs to no organization.";

const externalMethodSchema = z.object({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
});

/** Public settings of the server. */
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
  realm_url: z.string().optional().meta({ description: ABSENT_WITHOUT_REALM }),
  realm_uri: z.string().optional().meta({ deprecated: true, description: "The same as `realm_url`." }),
  realm_name: z.string().optional().meta({ description: ABSENT_WITHOUT_REALM }),
  realm_icon: z.string().optional().meta({ description: ABSENT_WITHOUT_REALM }),
  realm_description: z.string().optional().meta({ description: `HTML. ${ABSENT_WITHOUT_REALM}` }),
  realm_web_public_access_enabled: z.boolean().optional().meta({ description: ABSENT_WITHOUT_REALM }),
});

/** Returns the public settings of the server and, if the address belongs to one, of the organization. */
export function toServerSettings(
  app: Pick<ChatApp, "config">,
  { realm, isPushConfigured }: { realm: RealmRecord | null; isPushConfigured: boolean },
) {
  return {
    authentication_methods: AUTHENTICATION_METHODS,
    external_authentication_methods: [],
    ...SERVICE_VERSION,
    push_notifications_enabled: isPushConfigured,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    ...(realm === null ? {} : toRealmFields(app, realm)),
  };
}

function toRealmFields(app: Pick<ChatApp, "config">, realm: RealmRecord) {
  const { webPublicStreamsEnabled } = app.config;
  const url = realmUrl(app, realm);
  return {
    realm_url: url,
    realm_uri: url,
    realm_name: realm.name,
    realm_icon: iconUrl(app, realm),
    realm_description: toHtml(realm.description),
    realm_web_public_access_enabled: webPublicStreamsEnabled && realm.settings.enable_spectator_access,
  };
}

/** Converts plain text to HTML; empty lines separate paragraphs. */
function toHtml(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim()).filter((part) => part !== "");
  return paragraphs.map((part) => `<p>${escapeHtml(part)}</p>`).join("\n");
}
