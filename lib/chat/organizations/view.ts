import type { ChatApp } from "../app.ts";
import type { GroupSetting } from "../group_setting.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { toWirePermissions } from "../permissions/wire_setting.ts";
import { iconUrl, type RealmRecord, realmUrl } from "../realm/realm.ts";
import { allowsSpectators } from "../realm/spectators.ts";
import { NO_CHANNEL } from "./params.ts";

/**
 * An organization as a client learns of it when it registers; times in seconds since 1970 UTC. `isActive` leaves accounts
 * that are not active out of permissions that name them.
 */
export function toRealmView(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  isActive: (userId: number) => boolean = () => true,
) {
  const { realm } = permissions;
  const { settings } = realm;
  return {
    ...toOpenRealmView(app, realm),
    realm_waiting_period_threshold: settings.waiting_period_threshold,
    realm_message_content_edit_limit_seconds: settings.message_content_edit_limit_seconds,
    realm_name_changes_disabled: settings.name_changes_disabled,
    realm_email_changes_disabled: settings.email_changes_disabled,
    realm_presence_disabled: settings.presence_disabled,
    realm_new_stream_announcements_stream_id: settings.new_stream_announcements_stream_id ?? NO_CHANNEL,
    realm_emails_restricted_to_domains: settings.emails_restricted_to_domains,
    realm_disallow_disposable_email_addresses: settings.disallow_disposable_email_addresses,
    realm_welcome_message_custom_text: settings.welcome_message_custom_text,
    ...toPermissions(permissions, isActive),
  };
}

/** Of that what somebody without an account is told; times in seconds since 1970 UTC. */
export function toOpenRealmView(app: Pick<ChatApp, "config">, realm: RealmRecord) {
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

/** Every permission of the organization under its name with `realm_` in front. */
function toPermissions(
  permissions: PermissionContext,
  isActive: (userId: number) => boolean,
): Record<`realm_${string}`, GroupSetting> {
  const settings = toWirePermissions(permissions, { kind: "realm", owner: permissions.realm }, isActive);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`realm_${name}`, value]));
}
