import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { queueEndEvent, type StoredEvent, USER_ACCESS_TYPES } from "@/lib/chat/organization/events/model.ts";
import { sendChangeEvent, sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import {
  changePermissions,
  permissionsOf,
  toFullMemberEvents,
} from "@/lib/chat/organization/permissions/store.ts";
import {
  type PermissionContext,
  permissionValues,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { isFullMember } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { act, actAsAdmin, userListOf } from "@/lib/chat/organization/users/store.ts";
import { HOURLY } from "@/lib/core/worker.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { getRealm, iconUrl, listRealms, realmKeys, type RealmRecord, requireRealmName } from "./model.ts";
import { changeSettings, REALM_SETTINGS, type RealmSettings, toResponseSettings } from "./settings.ts";
import { type RealmUpdate, toLegacyPolicies } from "./api.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import { mapValues } from "es-toolkit/object/mapValues";
import { diffDetails, diffValues, type FieldValues } from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { deletePicture, type PictureChange, replacePicture } from "@/lib/chat/organization/pictures.ts";
import { type Caller, requireAdmin, requireOwner } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";

export const OWNER_SETTINGS: readonly string[] = Object.entries({ ...REALM_SETTINGS, ...PERMISSIONS.realm })
  .filter(([_, row]) => row.isOwnerOnly).map(([name]) => name);

/**
 * @throws AppError UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED,
 * REQUEST_VARIABLE_INVALID or BAD_REQUEST.
 */
export async function updateRealm(app: ChatApp, caller: Caller, changes: RealmUpdate): Promise<void> {
  await act(app, caller, (context) => changeRealm(context, changes));
}

/** @throws AppError as `updateRealm`. */
export async function changeRealm(context: ActionContext, changes: RealmUpdate): Promise<void> {
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
  const { permissions: values, changed } = changePermissions(tx, permissions, {
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

function auditRealmUpdate(context: ActionContext, permissions: PermissionContext, before: RealmRecord): void {
  const { realm: after } = permissions;
  const toFields = (realm: RealmRecord) => ({ ...toVisibleFields(realm), ...realm.permissions });
  const toValues = (realm: RealmRecord) => readRealmValues({ ...permissions, realm });
  auditAction(context, {
    action: "realm_changed",
    target: { kind: "realm", id: after.id, name: after.name },
    details: diffDetails(toFields(before), toFields(after)),
    values: diffValues(toValues(before), toValues(after)),
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
      throw new AppError("BAD_REQUEST", "Moderation request channel must be private.", { field: name });
    }
  }
}

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
  return await replaceIcon(app, caller, files);
}

/** @throws AppError UNAUTHORIZED_PRINCIPAL. */
export async function removeIcon(app: ChatApp, caller: Caller): Promise<{ icon_url: string }> {
  return await replaceIcon(app, caller, null);
}

async function replaceIcon(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[] | null,
): Promise<{ icon_url: string }> {
  const exactlyOne = "You must upload exactly one icon.";
  return { icon_url: iconUrl(app, await replacePicture(app, caller, { files, exactlyOne, put: putIcon })) };
}

async function putIcon(context: ActionContext, path: string | null): Promise<PictureChange<RealmRecord>> {
  const { app, tx, realm: { id: realmId } } = context;
  requireAdmin(context.actingUser);
  const before = await getRealm(tx, realmId);
  const icon = before.icon ?? null;
  if (icon === null && path === null) return { changed: before, old: null };
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
  return { changed: realm, old };
}

/** Reads whether the administrators of an organization hid the checklist of first steps. */
export async function isChecklistHidden({ store }: ChatApp, realmId: number): Promise<boolean> {
  return await readRecord<true>(store.kv, realmKeys.checklistHidden(realmId)) === true;
}

/** @throws AppError for a caller who is not an administrator. */
export async function hideChecklist(app: ChatApp, caller: Caller, isHidden: boolean): Promise<void> {
  await actAsAdmin(app, caller, ({ tx }) => {
    const key = realmKeys.checklistHidden(caller.realm.id);
    return Promise.resolve(isHidden ? tx.set(key, true) : tx.delete(key));
  });
}

/** Key of the time at which full-member events were last sent, in milliseconds since 1970 UTC. */
const fullMembersSentKey = (realmId: number): Key => [realmId, "full_members_told"];

interface PermissionContextChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
}

/**
 * Sends the events that follow from changed settings: promotions to full member, and the end of the guests'
 * event queues when guests gain or lose access to all users, as the number of users that would have to be
 * added or removed is unbounded.
 */
export async function sendPermissionEvents(
  app: ChatApp,
  tx: Tx,
  change: PermissionContextChange,
): Promise<void> {
  const { before, after } = change;
  const [oldPeriod, newPeriod] = [before, after].map(({ realm }) => realm.settings.waiting_period_threshold);
  const promotions = oldPeriod === newPeriod ? [] : (await collectFullMemberEvents(app, tx, change)).events;
  const [oldGroup, newGroup] = [before, after].map(({ realm }) =>
    realm.permissions["can_access_all_users_group"]
  );
  const ends = oldGroup === newGroup ? [] : [queueEndEvent(USER_ACCESS_TYPES, "guests")];
  sendEvents({ app, tx, realm: after.realm }, [...promotions, ...ends]);
}

/** Returns the events of full members who changed since the last time, which it stores, and their number. */
async function collectFullMemberEvents(
  app: ChatApp,
  tx: Tx,
  { before, after }: PermissionContextChange,
): Promise<{ readonly events: readonly StoredEvent[]; readonly count: number }> {
  const key = fullMembersSentKey(after.realm.id);
  const sentAt = await tx.get<number>(key) ?? after.now - HOURLY.everyMs;
  tx.set(key, after.now);
  // Without a waiting period, users were announced as full members when they joined.
  const since = before.realm.settings.waiting_period_threshold === 0 ? before.now : sentAt;
  const change = { before: { ...before, now: since }, after };
  const { users } = userListOf(after.organization);
  const viewers = users.filter((user) =>
    isFullMember(before.realm, user, since) !== isFullMember(after.realm, user, after.now)
  ).map((user) => ({ before: user, after: user }));
  const events = [
    ...toFullMemberEvents(change, users),
    ...await app.hooks.toMetadataAccessEvents(app, { ...change, users: viewers }),
  ];
  return { events, count: viewers.length };
}

/** Sends the events of members whose waiting period has ended, and returns their number. */
export async function promoteFullMembers(app: ChatApp, isStopped: () => boolean): Promise<number> {
  let promoted = 0;
  for (const { id, settings, is_deactivated } of await listRealms(app)) {
    if (isStopped()) return promoted;
    if (settings.waiting_period_threshold === 0 || is_deactivated) continue;
    promoted += await transact(app.store, async (tx) => {
      const permissions = permissionsOf(await tx.organization(id), app.clock);
      const { events, count } = await collectFullMemberEvents(app, tx, {
        before: permissions,
        after: permissions,
      });
      sendEvents({ app, tx, realm: { id } }, events);
      return count;
    });
  }
  return promoted;
}
