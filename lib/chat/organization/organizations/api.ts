import { mapKeys } from "es-toolkit/object/mapKeys";
import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import project from "@/deno.json" with { type: "json" };
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  bool,
  described,
  exact,
  optional,
  type ParamValues,
  text,
  trimmed,
} from "@/lib/chat/organization/params/param.ts";
import {
  groupSettingSchema,
  groupSettingUpdateParam,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  type PermissionContext,
  toWirePermissions,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  type SystemGroupName,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { escapeHtml } from "@/lib/core/text.ts";
import {
  allowsSpectators,
  iconUrl,
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  type RealmRecord,
  realmUrl,
} from "./model.ts";
import { describeForApi, REALM_SETTINGS, realmSettingSchemas, toResponseSettings } from "./settings.ts";

/** A field that expressed a permission as a number before it became a set of users. */
interface LegacyPolicy {
  readonly name: string;
  readonly setting: string;
  /** Number of each system group; the first one also stands for any other set of users. */
  readonly values: Readonly<Partial<Record<SystemGroupName, number>>>;
}

const CREATE_VALUES = {
  "role:members": 1,
  "role:fullmembers": 3,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 2,
  "role:nobody": 2,
} as const;

const LEGACY_POLICIES: readonly LegacyPolicy[] = [
  {
    name: "create_private_stream_policy",
    setting: "can_create_private_channel_group",
    values: CREATE_VALUES,
  },
  { name: "create_public_stream_policy", setting: "can_create_public_channel_group", values: CREATE_VALUES },
  {
    name: "create_web_public_stream_policy",
    setting: "can_create_web_public_channel_group",
    values: { "role:moderators": 4, "role:administrators": 2, "role:owners": 7, "role:nobody": 6 },
  },
  {
    name: "wildcard_mention_policy",
    setting: "can_mention_many_users_group",
    values: {
      "role:everyone": 1,
      "role:members": 2,
      "role:fullmembers": 3,
      "role:moderators": 7,
      "role:administrators": 5,
      "role:owners": 5,
      "role:nobody": 6,
    },
  },
];

/** Older fields of an organization that express a permission as a number. */
const legacyPoliciesSchema = z.object(
  Object.fromEntries(LEGACY_POLICIES.map(({ name, setting }) => [
    `realm_${name}`,
    z.int().meta({ deprecated: true, description: `A superset of \`realm_${setting}\`, by role.` }),
  ])),
);

/** Returns older fields by name: the number of the system group, the largest one for any other users. */
export function toLegacyPolicies(
  realm: RealmRecord,
  permissions: Readonly<Record<string, unknown>>,
): Record<string, number> {
  return Object.fromEntries(LEGACY_POLICIES.flatMap(({ name, setting, values }) => {
    const value = permissions[setting];
    if (value === undefined) return [];
    const group = typeof value === "number" ? systemGroupName(realm, value) : null;
    const [largest = 0] = Object.values(values);
    return [[name, (group === null ? undefined : values[group]) ?? largest]];
  }));
}

export const realmParams = {
  name: described(optional(exact(trimmed({ max: MAX_REALM_NAME, min: 1 }))), "Name of the organization."),
  description: described(optional(text({ max: MAX_REALM_DESCRIPTION })), "Description of the organization."),
  ...REALM_SETTINGS,
  ...mapValues(PERMISSIONS.realm, (row) => groupSettingUpdateParam(describeForApi(row))),
};

export type RealmUpdate = ParamValues<typeof realmParams>;

const allowSubdomains = described(bool(), "Whether subdomains of the domain count as well.");

export const addDomainParams = {
  domain: described(exact(text()), "The domain, such as `example.com`."),
  allow_subdomains: allowSubdomains,
};

export const updateDomainParams = { allow_subdomains: allowSubdomains };

export const spectatorRealmSchema = z.object({
  realm_name: z.string(),
  realm_description: z.string(),
  realm_url: z.string(),
  realm_uri: z.string().meta({ deprecated: true, description: "The same as `realm_url`." }),
  realm_icon_url: z.string(),
  realm_icon_source: z.enum(["G", "U"]).meta({ description: "`U` for an uploaded icon, otherwise `G`." }),
  realm_date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  realm_enable_spectator_access: z.boolean(),
  realm_web_public_access_enabled: z.boolean(),
});

export const realmSchema = spectatorRealmSchema.extend({
  ...withPrefix(realmSettingSchemas),
  ...withPrefix(mapValues(PERMISSIONS.realm, () => groupSettingSchema)),
  ...legacyPoliciesSchema.shape,
});

export const iconSchema = z.object({ icon_url: z.string() });

export const realmDomainSchema = z.object({ domain: z.string(), allow_subdomains: z.boolean() });

export const realmDomainsSchema = z.object({ domains: z.array(realmDomainSchema) });

/** Converts an organization for clients, without users in permissions who are inactive. */
export function toRealm(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  isActive: (userId: number) => boolean = () => true,
) {
  const { realm } = permissions;
  const values = toWirePermissions(permissions, { kind: "realm", owner: realm }, isActive);
  return {
    ...toSpectatorRealm(app, realm),
    ...withPrefix(toResponseSettings(realm.settings)),
    ...withPrefix({ ...values, ...toLegacyPolicies(realm, values) }),
  };
}

/** Converts an organization for spectators; times are in seconds since 1970 UTC. */
export function toSpectatorRealm(app: Pick<ChatApp, "config">, realm: RealmRecord) {
  const url = realmUrl(app, realm);
  return {
    realm_name: realm.name,
    realm_description: realm.description,
    realm_url: url,
    realm_uri: url,
    realm_icon_url: iconUrl(app, realm),
    realm_icon_source: realm.icon ? "U" : "G",
    realm_date_created: Math.floor(realm.date_created / 1000),
    realm_enable_spectator_access: realm.settings.enable_spectator_access,
    realm_web_public_access_enabled: allowsSpectators(app, realm),
  };
}

/** Returns the values with `realm_` before each name. */
function withPrefix<Value>(values: Readonly<Record<string, Value>>): Record<`realm_${string}`, Value> {
  return mapKeys(values, (_, name) => `realm_${name}` as const);
}

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
