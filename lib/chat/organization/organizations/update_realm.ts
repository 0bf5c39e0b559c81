import { changeSettings, REALM_SETTINGS, type RealmSettings, toResponseSettings } from "./settings.ts";
import { type RealmUpdate, toLegacyPolicies } from "./api.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import { mapValues } from "es-toolkit/object/mapValues";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { diffDetails, diffValues, type FieldValues } from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import { changePermissions } from "@/lib/chat/organization/permissions/change_permissions.ts";
import {
  type PermissionContext,
  permissionValues,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  deletePicture,
  pictureKeys,
  requirePicture,
  storePicture,
  toSquares,
  writePicture,
} from "@/lib/chat/organization/pictures.ts";
import { type Caller, requireAdmin, requireOwner } from "@/lib/chat/organization/users/model.ts";
import { act } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { readRecord } from "@/lib/store/key.ts";
import { dropPending } from "@/lib/chat/organization/pending_blobs.ts";
import type { PendingBlob } from "@/lib/chat/organization/files/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { sendPermissionEvents } from "./events.ts";
import { getRealm, iconUrl, realmKeys, type RealmRecord, requireRealmName } from "./model.ts";

export const OWNER_SETTINGS: readonly string[] = Object.entries({ ...REALM_SETTINGS, ...PERMISSIONS.realm })
  .filter(([_, row]) => row.isOwnerOnly).map(([name]) => name);

/**
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED,
 * REQUEST_VARIABLE_INVALID or BAD_REQUEST.
 */
export async function updateRealm(
  app: ChatApp,
  caller: Caller,
  changes: RealmUpdate,
): Promise<void> {
  await act(app, caller, (context) => changeRealm(context, changes));
}

/** @throws AppError as `updateRealm`. */
export async function changeRealm(
  context: ActionContext,
  changes: RealmUpdate,
): Promise<void> {
  const { app, tx, realm: { id: realmId }, actingUser } = context;
  requireAdmin(actingUser);
  const sentNames = Object.entries(changes).filter(([_, value]) => value !== undefined).map(([name]) => name);
  if (sentNames.some((name) => OWNER_SETTINGS.includes(name))) requireOwner(actingUser);
  const permissions = permissionsOf(await tx.organization(realmId), app.clock);
  const { realm } = permissions;
  const { name = realm.name, description = realm.description } = changes;
  const updated: RealmRecord = {
    ...realm,
    name: name === realm.name ? name : requireRealmName(name),
    description,
    settings: changeSettings(realm.settings, changes),
  };
  await requireValidChannels(tx, realm, updated.settings);
  const { permissions: values, changed } = await changePermissions(tx, permissions, {
    holder: { kind: "realm", id: realmId, permissions: realm.permissions },
    updates: mapValues(PERMISSIONS.realm, (_, name) => changes[name]),
  });
  const before = toVisibleFields(realm);
  const data = { ...pickBy(toVisibleFields(updated), (value, name) => value !== before[name]), ...changed };
  if (Object.keys(data).length === 0) return;
  const after = { ...updated, permissions: values };
  tx.set(realmKeys.realm(realmId), after);
  auditRealmUpdate(context, { ...permissions, realm: after }, realm);
  const isOpen = data["enable_spectator_access"];
  const sent = {
    ...data,
    // Clients receive it under a second name.
    ...isOpen === undefined
      ? {}
      : { web_public_access_enabled: isOpen && app.config.webPublicStreamsEnabled },
    ...toLegacyPolicies(after, changed),
  };
  sendChangeEvent(context, { type: "realm", op: "update_dict", property: "default", data: sent });
  await sendPermissionEvents(app, tx, { before: permissions, after: { ...permissions, realm: after } });
}

function auditRealmUpdate(
  context: ActionContext,
  permissions: PermissionContext,
  before: RealmRecord,
): void {
  const { realm: after } = permissions;
  const toFields = (realm: RealmRecord) => ({ ...toVisibleFields(realm), ...realm.permissions });
  const [oldFields, newFields] = [toFields(before), toFields(after)];
  const [oldValues, newValues] = [before, after].map((realm) => readRealmValues({ ...permissions, realm }));
  auditAction(context, {
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

/** Returns the fields that this endpoint can change, as clients see them, except permissions. */
function toVisibleFields({ name, description, settings }: RealmRecord): Readonly<Record<string, unknown>> {
  return { name, description, ...toResponseSettings(settings) };
}

/** @throws AppError BAD_REQUEST. */
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
    commit: (settle) =>
      act(app, caller, async (context) => {
        const id = await settle(context.tx);
        return await putIcon(context, writePicture(context.tx, realmId, { ...record, id }));
      }),
  });
  return await finishIconChange(app, changed);
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL. */
export async function removeIcon(app: ChatApp, caller: Caller): Promise<{ icon_url: string }> {
  return await finishIconChange(app, await act(app, caller, (context) => putIcon(context, null)));
}

interface IconChange {
  readonly realm: RealmRecord;
  readonly old: PendingBlob | null;
}

async function finishIconChange(app: ChatApp, { realm, old }: IconChange): Promise<{ icon_url: string }> {
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
  return { icon_url: iconUrl(app, realm) };
}

async function putIcon(context: ActionContext, path: string | null): Promise<IconChange> {
  const { app, tx, realm: { id: realmId } } = context;
  requireAdmin(context.actingUser);
  const before = await getRealm(tx, realmId);
  const icon = before.icon ?? null;
  if (icon === null && path === null) return { realm: before, old: null };
  const realm = { ...before, icon: path };
  const old = deletePicture(context, icon);
  tx.set(realmKeys.realm(realmId), realm);
  auditAction(context, {
    action: "realm_changed",
    target: { kind: "realm", id: realmId, name: realm.name },
    details: { icon: "" },
  });
  const data = { icon_source: path === null ? "G" : "U", icon_url: iconUrl(app, realm) };
  sendChangeEvent(context, { type: "realm", op: "update_dict", property: "icon", data });
  return { realm, old };
}

/** Reads whether the administrators of an organization hid the checklist of first steps. */
export async function isChecklistHidden({ store }: ChatApp, realmId: number): Promise<boolean> {
  return await readRecord<true>(store.kv, realmKeys.checklistHidden(realmId)) === true;
}

/** @throws AppError for a caller who is not an administrator. */
export async function hideChecklist(app: ChatApp, caller: Caller, isHidden: boolean): Promise<void> {
  await act(app, caller, ({ tx, actingUser }) => {
    requireAdmin(actingUser);
    const key = realmKeys.checklistHidden(caller.realm.id);
    return Promise.resolve(isHidden ? tx.set(key, true) : tx.delete(key));
  });
}
