import { mapValues } from "es-toolkit/object/mapValues";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { diffDetails, diffValues, type FieldValues } from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import { sendEvent } from "../events/send_events.ts";
import { changePermissions } from "../permissions/change_permissions.ts";
import { type PermissionContext, permissionValues } from "../permissions/model/membership.ts";
import { PERMISSIONS } from "../permissions/model/registry.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { type Caller, requireAdmin, requireOwner, type UserRecord } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { toLegacyPolicies } from "./api/legacy_policies.ts";
import type { RealmUpdate } from "./api/realm.ts";
import { sendPermissionEvents } from "./events.ts";
import { realmKeys, type RealmRecord, requireRealmName } from "./model.ts";
import { changeSettings, REALM_SETTINGS, type RealmSettings, toResponseSettings } from "./settings.ts";

/** Names of the settings and permissions that only owners can change. */
export const OWNER_SETTINGS: readonly string[] = Object.entries({ ...REALM_SETTINGS, ...PERMISSIONS.realm })
  .filter(([_, row]) => row.isOwnerOnly).map(([name]) => name);

/**
 * Updates an organization's settings and permissions, all or none, and sends the differences.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED,
 * REQUEST_VARIABLE_INVALID or BAD_REQUEST.
 */
export async function updateRealm(
  app: ChatApp,
  { realm: { id: realmId }, actingUser }: Caller,
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
    updates: mapValues(PERMISSIONS.realm, (_, name) => changes[name]),
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
  const sent = Object.entries(changes).filter(([_, value]) => value !== undefined);
  if (sent.some(([name]) => OWNER_SETTINGS.includes(name))) requireOwner(user);
}

/** Returns the organization with the requested changes, except permissions. */
function applyUpdate(realm: RealmRecord, changes: RealmUpdate): RealmRecord {
  return {
    ...realm,
    name: changes.name === undefined || changes.name === realm.name
      ? realm.name
      : requireRealmName(changes.name),
    description: changes.description ?? realm.description,
    settings: changeSettings(realm.settings, changes),
  };
}

/** Returns the fields that this endpoint can change, as clients see them, except permissions. */
function toVisibleFields({ name, description, settings }: RealmRecord): Readonly<Record<string, unknown>> {
  return { name, description, ...toResponseSettings(settings) };
}

function diffFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
}

/**
 * Requires that newly chosen channels exist and are not archived, and that the one for reports is private.
 * @throws AppError BAD_REQUEST.
 */
async function requireValidChannels(
  tx: Tx,
  { id, settings: before }: RealmRecord,
  settings: RealmSettings,
): Promise<void> {
  for (const name of ["new_stream_announcements_stream_id", "moderation_request_channel_id"] as const) {
    const channelId = settings[name];
    if (channelId === before[name] || channelId === null) continue;
    const key = channelKeys.channel(id, channelId);
    const channel = Number.isSafeInteger(channelId) ? await tx.get<ChannelRecord>(key) : null;
    if (channel === null || channel.is_archived) {
      throw new AppError("BAD_REQUEST", "Invalid channel ID", { field: name });
    }
    if (name === "moderation_request_channel_id" && !channel.invite_only) {
      throw new AppError("BAD_REQUEST", "Moderation request channel must be private.");
    }
  }
}
