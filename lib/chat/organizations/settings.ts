import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { sendEvent } from "../events/emit.ts";
import type { GroupSettingUpdate } from "../group_setting.ts";
import { changePermissions, type Sent } from "../permissions/change.ts";
import { groupQueue, readPermissionContext } from "../permissions/group_world.ts";
import { realmKeys, type RealmRecord, type RealmSettings } from "../realm/realm.ts";
import { requireAdmin, requireOwner } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { tellOfRealm } from "./tell_of_realm.ts";
import { NO_CHANNEL, PERMISSION_PARAMS, type RealmChanges } from "./params.ts";

/** What decides who comes in and who rises is for owners alone. */
export const OWNERS_SETTINGS = [
  "waiting_period_threshold",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "can_create_groups",
  "can_invite_users_group",
  "can_manage_all_groups",
  "create_multiuse_invite_group",
] as const;

/**
 * Changes an organization, all that was sent or nothing, and tells everybody what is other than before.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, REQUEST_VARIABLE_INVALID or
 * BAD_REQUEST.
 */
export async function changeRealm(
  app: ChatApp,
  { realmId, actingUser }: { realmId: number; actingUser: UserRecord },
  changes: RealmChanges,
): Promise<void> {
  await transact(app.store, async (tx) => {
    // The caller's role may have changed since the request was let in.
    requireMayChange(await getUser(tx, realmId, actingUser.id), changes);
    const permissions = await readPermissionContext(app, tx, realmId);
    const { realm } = permissions;
    const edited = toEdited(realm, changes);
    await requireChannel(tx, realm, edited.settings.new_stream_announcements_stream_id);
    const { permissions: values, changed } = await changePermissions(tx, permissions, {
      holder: { kind: "realm", id: realmId, permissions: realm.permissions },
      updates: permissionUpdates(changes),
    });
    const data = { ...differences(toPlain(realm), toPlain(edited)), ...changed };
    if (Object.keys(data).length === 0) return;
    const after = { ...edited, permissions: values };
    tx.set(realmKeys.realm(realmId), after);
    const at = { realmId, now: app.clock.now() };
    noteRealmChange(tx, at, { actingUser, before: realm, after });
    const told = { ...data, ...derived(app, data) };
    sendEvent(tx, at, {
      event: { type: "realm", op: "update_dict", property: "default", data: told },
      audience: "everyone",
    });
    await tellOfRealm(app, tx, { before: permissions, after: { ...permissions, realm: after } });
  }, groupQueue(realmId));
}

/** What clients are told under another name as well. */
function derived({ config }: Pick<ChatApp, "config">, data: Readonly<Record<string, unknown>>) {
  const isOpen = data["enable_spectator_access"];
  return isOpen === undefined ? {} : { web_public_access_enabled: isOpen && config.webPublicStreamsEnabled };
}

function noteRealmChange(
  tx: Tx,
  at: { realmId: number; now: number },
  { actingUser, before, after }: { actingUser: UserRecord; before: RealmRecord; after: RealmRecord },
): void {
  const [was, is] = [before, after].map((realm) => ({ ...toPlain(realm), ...realm.permissions }));
  if (was === undefined || is === undefined) return;
  recordAudit(tx, at, {
    acting_user_id: actingUser.id,
    action: "realm_changed",
    target: { kind: "realm", id: after.id, name: after.name },
    details: differencesOf(was, is, Object.keys({ ...was, ...is })),
  });
}

function requireMayChange(user: UserRecord, changes: RealmChanges): void {
  requireAdmin(user);
  if (OWNERS_SETTINGS.some((name) => changes[name] !== undefined)) requireOwner(user);
}

function permissionUpdates(changes: RealmChanges): Sent<GroupSettingUpdate> {
  return Object.fromEntries(PERMISSION_PARAMS.map((name) => [name, changes[name]]));
}

/** The organization with what was sent, permissions aside. */
function toEdited(realm: RealmRecord, changes: RealmChanges): RealmRecord {
  const { settings } = realm;
  const limit = changes.message_content_edit_limit_seconds;
  const channelId = changes.new_stream_announcements_stream_id;
  return {
    ...realm,
    name: changes.name ?? realm.name,
    description: changes.description ?? realm.description,
    settings: {
      ...settings,
      waiting_period_threshold: changes.waiting_period_threshold ?? settings.waiting_period_threshold,
      enable_spectator_access: changes.enable_spectator_access ?? settings.enable_spectator_access,
      message_content_edit_limit_seconds: limit === undefined
        ? settings.message_content_edit_limit_seconds
        : readEditLimit(limit),
      name_changes_disabled: changes.name_changes_disabled ?? settings.name_changes_disabled,
      email_changes_disabled: changes.email_changes_disabled ?? settings.email_changes_disabled,
      presence_disabled: changes.presence_disabled ?? settings.presence_disabled,
      new_stream_announcements_stream_id: channelId === undefined
        ? settings.new_stream_announcements_stream_id
        : readChannelId(channelId),
      ...toJoiningRules(settings, changes),
    },
  };
}

/** Who may join, and what he is told first. */
function toJoiningRules(settings: RealmSettings, changes: RealmChanges) {
  return {
    emails_restricted_to_domains: changes.emails_restricted_to_domains ??
      settings.emails_restricted_to_domains,
    disallow_disposable_email_addresses: changes.disallow_disposable_email_addresses ??
      settings.disallow_disposable_email_addresses,
    welcome_message_custom_text: changes.welcome_message_custom_text ?? settings.welcome_message_custom_text,
  };
}

/** What a request can change as clients are told it, permissions aside. */
function toPlain({ name, description, settings }: RealmRecord): Readonly<Record<string, unknown>> {
  const channelId = settings.new_stream_announcements_stream_id ?? NO_CHANNEL;
  // Domains are changed and told by their own endpoints.
  const { domains: _, ...plain } = settings;
  return { name, description, ...plain, new_stream_announcements_stream_id: channelId };
}

function differences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
}

function readEditLimit(sent: number | string): number | null {
  if (sent === "unlimited") return null;
  if (typeof sent === "number" && sent > 0) return sent;
  const name = "message_content_edit_limit_seconds";
  throw new AppError("REQUEST_VARIABLE_INVALID", `Bad value for '${name}': ${sent}`, {
    extra: { var_name: name, bad_value: sent },
  });
}

function readChannelId(sent: number): number | null {
  return sent === NO_CHANNEL ? null : sent;
}

/** New channels are announced in one that is in use. */
async function requireChannel(
  tx: Tx,
  { id, settings }: RealmRecord,
  channelId: number | null,
): Promise<void> {
  if (channelId === null || channelId === settings.new_stream_announcements_stream_id) return;
  const key = channelKeys.channel(id, channelId);
  const channel = Number.isSafeInteger(channelId) ? await tx.get<ChannelRecord>(key) : null;
  if (channel === null || channel.is_archived) throw new AppError("BAD_REQUEST", "Invalid channel ID");
}
