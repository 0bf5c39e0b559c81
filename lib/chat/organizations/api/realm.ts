import { mapKeys } from "es-toolkit/object/mapKeys";
import { mapValues } from "es-toolkit/object/mapValues";
import { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import {
  bool,
  described,
  exact,
  optional,
  type ParamValues,
  text,
  trimmed,
} from "@/lib/chat/params/param.ts";
import { groupSettingSchema, groupSettingUpdateParam } from "@/lib/chat/permissions/api.ts";
import type { GroupSetting } from "@/lib/chat/permissions/model/group_setting.ts";
import { type PermissionContext, toWirePermissions } from "@/lib/chat/permissions/model/membership.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { legacyPoliciesSchema, toLegacyPolicies } from "./legacy_policies.ts";
import {
  allowsSpectators,
  iconUrl,
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  type RealmRecord,
  realmUrl,
} from "../model.ts";
import { describeForApi, REALM_SETTINGS, realmSettingSchemas, toResponseSettings } from "../settings.ts";

/** Parameters of PATCH /realm; all are optional. */
export const realmParams = {
  name: described(optional(exact(trimmed({ max: MAX_REALM_NAME, min: 1 }))), "Name of the organization."),
  description: described(optional(text({ max: MAX_REALM_DESCRIPTION })), "Description of the organization."),
  ...REALM_SETTINGS,
  ...mapValues(PERMISSIONS.realm, (row) => groupSettingUpdateParam(describeForApi(row))),
};

/** Parsed parameters of PATCH /realm. */
export type RealmUpdate = ParamValues<typeof realmParams>;

const allowSubdomains = described(bool(), "Whether subdomains of the domain count as well.");

/** Parameters of POST /realm/domains. */
export const addDomainParams = {
  domain: described(exact(text()), "The domain, such as `example.com`."),
  allow_subdomains: allowSubdomains,
};

/** Parameters of PATCH /realm/domains/{domain}. */
export const updateDomainParams = { allow_subdomains: allowSubdomains };

/** An organization as spectators see it. */
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

/** An organization in the register response. */
export const realmSchema = spectatorRealmSchema.extend({
  ...withPrefix(realmSettingSchemas),
  ...withPrefix(mapValues(PERMISSIONS.realm, () => groupSettingSchema)),
  ...legacyPoliciesSchema.shape,
});

/** Response with the icon's new address. */
export const iconSchema = z.object({ icon_url: z.string() });

/** A domain of an organization. */
export const realmDomainSchema = z.object({ domain: z.string(), allow_subdomains: z.boolean() });

/** Response with the organization's domains. */
export const realmDomainsSchema = z.object({ domains: z.array(realmDomainSchema) });

/**
 * Converts an organization for the register response; times are in seconds since 1970 UTC. Users for whom
 * `isActive` is false are left out of permissions.
 */
export function toRealm(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  isActive: (userId: number) => boolean = () => true,
) {
  const { realm } = permissions;
  return {
    ...toSpectatorRealm(app, realm),
    ...withPrefix(toResponseSettings(realm.settings)),
    ...toPermissions(permissions, isActive),
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

/** Returns every permission of the organization, also in the older forms, with `realm_` before each name. */
function toPermissions(
  permissions: PermissionContext,
  isActive: (userId: number) => boolean,
): Record<`realm_${string}`, GroupSetting> {
  const settings = toWirePermissions(permissions, { kind: "realm", owner: permissions.realm }, isActive);
  const all = { ...settings, ...toLegacyPolicies(permissions.realm, settings) };
  return withPrefix(all);
}

/** Returns the values with `realm_` before each name. */
function withPrefix<Value>(values: Readonly<Record<string, Value>>): Record<`realm_${string}`, Value> {
  return mapKeys(values, (_, name) => `realm_${name}` as const);
}
