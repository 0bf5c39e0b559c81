import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { diffDetails, diffValues, type FieldValues } from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import { sendEvent } from "../events/send_events.ts";
import { changePermissions, type RequestedPermissions } from "../permissions/change_permissions.ts";
import type { GroupSettingUpdate } from "../permissions/model/group_setting.ts";
import { permissionValues } from "../permissions/model/membership.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { requireAdmin, requireOwner, type UserRecord } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { toLegacyPolicies } from "./api/legacy_policies.ts";
import { PERMISSION_PARAMS, type RealmUpdate } from "./api/realm.ts";
import { sendPermissionEvents } from "./events.ts";
import {
  getDeleteLimit,
  getEmailConfirmation,
  NO_CHANNEL,
  realmKeys,
  type RealmRecord,
  type RealmSettings,
  requireRealmName,
} from "./model.ts";

/** Settings that only owners can change: they control who can join and who gains permissions. */
export const OWNER_SETTINGS = [
  "waiting_period_threshold",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "email_confirmation",
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "create_multiuse_invite_group",
] as const;

/**
 * Updates an organization's settings and permissions, all or none, and sends the differences.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED,
 * REQUEST_VARIABLE_INVALID or BAD_REQUEST.
 */
export async function updateRealm(
  app: ChatApp,
  { realmId, actingUser }: { realmId: number; actingUser: UserRecord },
  changes: RealmUpdate,
): Promise<void> {
  await transact(
    app.store,
    (tx) => applyRealmUpdate({ app, tx, realmId, actingUser }, changes),
  );
}

/**
 * Updates an organization within a transaction, with the events and the audit entry.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED,
 * REQUEST_VARIABLE_INVALID or BAD_REQUEST.
 */
export async function applyRealmUpdate(
  { app, tx, realmId, actingUser }: { app: ChatApp; tx: Tx; realmId: number; actingUser: UserRecord },
  changes: RealmUpdate,
): Promise<void> {
  requireAllowed(await getActingUser(tx, realmId, actingUser), changes);
  const permissions = await readPermissionContext(app, tx, realmId);
  const { realm } = permissions;
  const updated = applyUpdate(realm, changes);
  await requireValidChannels(tx, realm, updated.settings);
  const { permissions: values, changed } = await changePermissions(tx, permissions, {
    holder: { kind: "realm", id: realmId, permissions: realm.permissions },
    updates: toPermissionUpdates(changes),
  });
  const data = { ...diffFields(toVisibleFields(realm), toVisibleFields(updated)), ...changed };
  if (Object.keys(data).length === 0) return;
  const after = { ...updated, permissions: values };
  tx.set(realmKeys.realm(realmId), after);
  auditRealmUpdate(tx, { ...permissions, realm: after }, { actingUser, before: realm });
  const sent = { ...data, ...toAliases(app, data), ...toLegacyPolicies(after, changed) };
  sendEvent(tx, { realmId, now: permissions.now }, {
    event: { type: "realm", op: "update_dict", property: "default", data: sent },
    audience: "everyone",
  });
  await sendPermissionEvents(app, tx, { before: permissions, after: { ...permissions, realm: after } });
}

/** Returns the values that clients receive under a second name. */
function toAliases({ config }: Pick<ChatApp, "config">, data: Readonly<Record<string, unknown>>) {
  const isOpen = data["enable_spectator_access"];
  return isOpen === undefined ? {} : { web_public_access_enabled: isOpen && config.webPublicStreamsEnabled };
}

function auditRealmUpdate(
  tx: Tx,
  permissions: PermissionContext,
  { actingUser, before }: { actingUser: UserRecord; before: RealmRecord },
): void {
  const { realm: after, now } = permissions;
  const toFields = (realm: RealmRecord) => ({ ...toVisibleFields(realm), ...realm.permissions });
  const [oldFields, newFields] = [toFields(before), toFields(after)];
  const [oldValues, newValues] = [before, after].map((realm) => readRealmValues({ ...permissions, realm }));
  recordAudit(tx, { realmId: after.id, now }, {
    acting_user_id: actingUser.id,
    action: "realm_changed",
    target: { kind: "realm", id: after.id, name: after.name },
    details: diffDetails(oldFields, newFields, Object.keys({ ...oldFields, ...newFields })),
    values: diffValues(oldValues ?? {}, newValues ?? {}, Object.keys(newValues ?? {})),
  });
}

/** Returns the fields and permissions of an organization that can be updated, by name. */
export function readRealmValues(permissions: PermissionContext): FieldValues {
  const { realm } = permissions;
  return {
    ...toVisibleFields(realm),
    ...permissionValues(permissions, { kind: "realm", owner: realm }),
  };
}

function requireAllowed(user: UserRecord, changes: RealmUpdate): void {
  requireAdmin(user);
  if (OWNER_SETTINGS.some((name) => changes[name] !== undefined)) requireOwner(user);
}

function toPermissionUpdates(changes: RealmUpdate): RequestedPermissions<GroupSettingUpdate> {
  return Object.fromEntries(PERMISSION_PARAMS.map((name) => [name, changes[name]]));
}

/** Returns the organization with the requested changes, except permissions. */
function applyUpdate(realm: RealmRecord, changes: RealmUpdate): RealmRecord {
  const { settings } = realm;
  const limit = changes.message_content_edit_limit_seconds;
  const deleteLimit = changes.message_content_delete_limit_seconds;
  return {
    ...realm,
    name: changes.name === undefined || changes.name === realm.name
      ? realm.name
      : requireRealmName(changes.name),
    description: changes.description ?? realm.description,
    settings: {
      ...settings,
      waiting_period_threshold: changes.waiting_period_threshold ?? settings.waiting_period_threshold,
      enable_spectator_access: changes.enable_spectator_access ?? settings.enable_spectator_access,
      message_content_edit_limit_seconds: limit === undefined
        ? settings.message_content_edit_limit_seconds
        : parseLimit("message_content_edit_limit_seconds", limit),
      ...(deleteLimit === undefined ? {} : {
        message_content_delete_limit_seconds: parseLimit("message_content_delete_limit_seconds", deleteLimit),
      }),
      name_changes_disabled: changes.name_changes_disabled ?? settings.name_changes_disabled,
      email_changes_disabled: changes.email_changes_disabled ?? settings.email_changes_disabled,
      presence_disabled: changes.presence_disabled ?? settings.presence_disabled,
      enable_read_receipts: changes.enable_read_receipts ?? settings.enable_read_receipts,
      ...toChannelSettings(settings, changes),
      ...toJoinSettings(settings, changes),
    },
  };
}

/** Returns the requested channels for automatic messages. */
function toChannelSettings(settings: RealmSettings, changes: RealmUpdate) {
  const choose = (name: "new_stream_announcements_stream_id" | "moderation_request_channel_id") => {
    const channelId = changes[name];
    return channelId === undefined ? settings[name] : parseChannelId(channelId);
  };
  return {
    new_stream_announcements_stream_id: choose("new_stream_announcements_stream_id"),
    moderation_request_channel_id: choose("moderation_request_channel_id"),
  };
}

/** Returns the requested settings for joining and for the welcome message. */
function toJoinSettings(settings: RealmSettings, changes: RealmUpdate) {
  return {
    emails_restricted_to_domains: changes.emails_restricted_to_domains ??
      settings.emails_restricted_to_domains,
    disallow_disposable_email_addresses: changes.disallow_disposable_email_addresses ??
      settings.disallow_disposable_email_addresses,
    ...(changes.email_confirmation === undefined ? {} : { email_confirmation: changes.email_confirmation }),
    welcome_message_custom_text: changes.welcome_message_custom_text ?? settings.welcome_message_custom_text,
  };
}

/** Returns the fields that this endpoint can change, as clients see them, except permissions. */
function toVisibleFields({ name, description, settings }: RealmRecord): Readonly<Record<string, unknown>> {
  // Domains have their own endpoints and events.
  const { domains: _, ...visible } = settings;
  return {
    name,
    description,
    ...visible,
    message_content_delete_limit_seconds: getDeleteLimit(settings),
    email_confirmation: getEmailConfirmation(settings),
    new_stream_announcements_stream_id: settings.new_stream_announcements_stream_id ?? NO_CHANNEL,
    moderation_request_channel_id: settings.moderation_request_channel_id ?? NO_CHANNEL,
  };
}

function diffFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
}

function parseLimit(name: string, value: number | string): number | null {
  if (value === "unlimited") return null;
  if (typeof value === "number" && value > 0) return value;
  throw new AppError("REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${value}`, {
    extra: { var_name: name, bad_value: value },
  });
}

function parseChannelId(value: number): number | null {
  return value === NO_CHANNEL ? null : value;
}

/**
 * Requires that newly chosen channels exist and are not archived, and that the one for reports is private.
 * @throws AppError BAD_REQUEST.
 */
async function requireValidChannels(
  tx: Tx,
  { id, settings }: RealmRecord,
  { new_stream_announcements_stream_id, moderation_request_channel_id }: RealmSettings,
): Promise<void> {
  if (new_stream_announcements_stream_id !== settings.new_stream_announcements_stream_id) {
    await requireActiveChannel(tx, id, new_stream_announcements_stream_id);
  }
  if (moderation_request_channel_id === settings.moderation_request_channel_id) return;
  const channel = await requireActiveChannel(tx, id, moderation_request_channel_id);
  if (channel !== null && !channel.invite_only) {
    throw new AppError("BAD_REQUEST", "Moderation request channel must be private.");
  }
}

/** Rejects an unknown or archived channel; null stands for none. */
async function requireActiveChannel(
  tx: Tx,
  realmId: number,
  channelId: number | null,
): Promise<ChannelRecord | null> {
  if (channelId === null) return null;
  const key = channelKeys.channel(realmId, channelId);
  const channel = Number.isSafeInteger(channelId) ? await tx.get<ChannelRecord>(key) : null;
  if (channel === null || channel.is_archived) throw new AppError("BAD_REQUEST", "Invalid channel ID");
  return channel;
}
