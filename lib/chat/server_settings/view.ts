import { escapeHtml } from "@/lib/mail/escape_html.ts";
import type { ChatApp } from "../app.ts";
import { iconUrl, type RealmRecord, realmUrl } from "../realm/realm.ts";
import { SERVICE } from "./service.ts";

/** Ways to sign in by their names on the wire: a password is the only one. */
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

/** What anybody may know about this server, and about the organization where there is one at the address. */
export function toServerSettings(
  app: Pick<ChatApp, "config">,
  { realm, isPushConfigured }: { realm: RealmRecord | null; isPushConfigured: boolean },
) {
  return {
    authentication_methods: AUTHENTICATION_METHODS,
    external_authentication_methods: [],
    ...SERVICE,
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

/** Plain text as HTML: what is between empty lines is a paragraph. */
function toHtml(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim()).filter((part) => part !== "");
  return paragraphs.map((part) => escapeHtml`<p>${part}</p>`.markup).join("\n");
}
