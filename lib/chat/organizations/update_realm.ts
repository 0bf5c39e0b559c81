import { toResponseSettings } from "./settings.ts";
import { toLegacyPolicies } from "./api.ts";
import { REALM_SETTINGS } from "./settings.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import type { ChatApp } from "@/lib/chat/app.ts";
import { diffDetails, diffValues, type FieldValues } from "@/lib/chat/audit/model.ts";
import { recordAudit } from "@/lib/chat/audit/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { sendEvent } from "@/lib/chat/events/send_events.ts";
import { changePermissions } from "@/lib/chat/permissions/change_permissions.ts";
import { type PermissionContext, permissionValues } from "@/lib/chat/permissions/model/membership.ts";
import { PERMISSIONS } from "@/lib/chat/permissions/model/registry.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import {
  deletePicture,
  pictureKeys,
  requirePicture,
  storePicture,
  toSquares,
  writePicture,
} from "@/lib/chat/pictures.ts";
import { type Caller, requireAdmin, requireOwner, type UserRecord } from "@/lib/chat/users/model.ts";
import { getActingAdmin, getActingUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { readRecord } from "@/lib/store/key.ts";
import { dropPending } from "@/lib/chat/files/store.ts";
import type { PendingBlob } from "@/lib/chat/files/model.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { RealmUpdate } from "./api.ts";
import { sendPermissionEvents } from "./events.ts";
import { iconUrl, realmKeys, type RealmRecord, requireRealmName } from "./model.ts";
import { changeSettings, type RealmSettings } from "./settings.ts";
import { getRealm } from "./store.ts";

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

const MESSAGES = {
  exactlyOne: "You must upload exactly one icon.",
  noPicture: "Could not decode image; did you upload an image file?",
};

/**
 * Replaces the organization's icon by the only uploaded image and returns its address.
 * @throws AppError BAD_REQUEST unless there is exactly one valid image of acceptable size;
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function updateIcon(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[],
): Promise<{ icon_url: string }> {
  const { content } = requirePicture(files, MESSAGES);
  const { id: realmId } = caller.realm;
  const { picture, record } = await toSquares(app, caller, { content, noPicture: MESSAGES.noPicture });
  const changed = await storePicture(app, picture, {
    realmId,
    place: pictureKeys.place,
    write: (tx, id) => putIcon(app, tx, { caller, path: writePicture(tx, realmId, { ...record, id }) }),
  });
  return await finishIconChange(app, changed);
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL. */
export async function removeIcon(app: ChatApp, caller: Caller): Promise<{ icon_url: string }> {
  const work = (tx: Tx) => putIcon(app, tx, { caller, path: null });
  return await finishIconChange(app, await transact(app.store, work));
}

interface IconChange {
  readonly realm: RealmRecord;
  readonly old: PendingBlob | null;
}

async function finishIconChange(app: ChatApp, { realm, old }: IconChange): Promise<{ icon_url: string }> {
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
  return { icon_url: iconUrl(app, realm) };
}

async function putIcon(
  app: ChatApp,
  tx: Tx,
  { caller, path }: { caller: Caller; path: string | null },
): Promise<IconChange> {
  const realmId = caller.realm.id;
  const at = { realmId, now: app.clock.now() };
  const actor = await getActingAdmin(tx, caller);
  const before = await getRealm(tx, realmId);
  const icon = before.icon ?? null;
  if (icon === null && path === null) return { realm: before, old: null };
  const realm = { ...before, icon: path };
  const old = deletePicture(tx, at, icon);
  tx.set(realmKeys.realm(realmId), realm);
  recordAudit(tx, at, {
    acting_user_id: actor.id,
    action: "realm_changed",
    target: { kind: "realm", id: realmId, name: realm.name },
    details: { icon: "" },
  });
  const data = { icon_source: path === null ? "G" : "U", icon_url: iconUrl(app, realm) };
  sendEvent(tx, at, {
    event: { type: "realm", op: "update_dict", property: "icon", data },
    audience: "everyone",
  });
  return { realm, old };
}

/** Reads whether the administrators of an organization hid the checklist of first steps. */
export async function isChecklistHidden({ store }: ChatApp, realmId: number): Promise<boolean> {
  return await readRecord<true>(store.kv, realmKeys.checklistHidden(realmId)) === true;
}

/**
 * Hides the checklist of first steps from all administrators of an organization, or shows it again.
 * @throws AppError for a caller who is not an administrator.
 */
export async function hideChecklist(app: ChatApp, caller: Caller, isHidden: boolean): Promise<void> {
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const key = realmKeys.checklistHidden(caller.realm.id);
    if (isHidden) tx.set(key, true);
    else tx.delete(key);
  });
}
