import { chunk } from "es-toolkit/array/chunk";
import type { ChatApp } from "@/lib/chat/app.ts";
import { diffDetails } from "@/lib/chat/audit/model.ts";
import { recordAudit } from "@/lib/chat/audit/store.ts";
import { deleteUnlistedDrafts } from "@/lib/chat/drafts/store.ts";
import { sendEvent, sendEvents } from "@/lib/chat/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { sortedUnique } from "@/lib/chat/permissions/model/group_setting.ts";
import { filterMembers, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { switchPresence } from "@/lib/chat/presence/report_presence.ts";
import {
  type AccountCaller,
  applySettings,
  type ChangedSetting,
  getSetting,
  listSentSettings,
  requireSharedSettings,
  requireValidSettings,
  type SettingName,
  type SettingsInput,
  settingsKeys,
  type SettingsRecord,
  type SettingsValues,
  type TargetUsers,
  withFullName,
} from "@/lib/chat/user_settings/model/settings.ts";
import {
  type Caller,
  isBot,
  requireAdmin,
  toApiEmail,
  type UserRecord,
  USERS_READ_AT_ONCE,
} from "@/lib/chat/users/model.ts";
import { getActingAdmin, getActingUser, listUsers, putUser, readUser } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  hashNewPassword,
  type NewPassword,
  requireCurrentPassword,
  requireValidPasswordChange,
  withPassword,
} from "./change_account.ts";
import { consumeEmailChange, putEmailChange, type RequestedEmail, validateNewEmail } from "./change_email.ts";
import { sendEmailEvents, sendProfileEvent, sendSettingEvents, toSettingEvent } from "./events.ts";
import { getSettingsRecord, updateDraftSync } from "./store.ts";

/**
 * @throws AppError BAD_REQUEST for the first invalid value, RATE_LIMIT_HIT for too many changes of the email
 * address.
 */
async function updateOwnSettings(
  app: ChatApp,
  caller: AccountCaller,
  values: SettingsValues,
): Promise<void> {
  requireValidSettings(values);
  const checked = await checkChange(app, caller, values);
  const { realm } = caller;
  await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realm.id, caller.user);
    const context = { app, tx, realmId: realm.id };
    const { password } = checked;
    const user = withChanges(
      caller,
      password === null ? before : withPassword(context, before, password),
      values,
    );
    if (user !== before) await putUser(tx, realm.id, user);
    if (checked.email !== null) await putEmailChange(app, tx, { realm, user, requested: checked.email });
    const changed = await changeStoredSettings(tx, { realmId: realm.id, user }, values);
    sendChangeEvents(app, tx, { realm, before, user, changed });
    const presence = changed.find(({ name }) => name === "presence_enabled");
    if (presence !== undefined) {
      await switchPresence(app, tx, { realm, user, isEnabled: presence.value === true });
    }
  });
  if (checked.email !== null) app.wakeMailer();
  if (values.enable_drafts_synchronization === false) {
    await deleteUnlistedDrafts(app, realm.id, caller.user.id);
  }
}

async function checkChange(
  app: ChatApp,
  caller: AccountCaller,
  { new_password: newPassword, old_password: oldPassword, email, full_name }: SettingsValues,
): Promise<{ readonly password: NewPassword | null; readonly email: RequestedEmail | null }> {
  const password = newPassword === undefined ? null : { oldPassword, newPassword };
  if (password !== null) await requireValidPasswordChange(app, caller, password);
  const requested = email === undefined ? null : await validateNewEmail(app, caller, email);
  if (requested !== null && caller.isSession) await requireCurrentPassword(app, caller, oldPassword);
  if (full_name !== undefined) withFullName(caller.realm, caller.user, full_name);
  if (requested !== null) await consumeEmailChange(caller, requested);
  return {
    password: password === null ? null : await hashNewPassword(app, caller, password),
    email: requested,
  };
}

/** Returns the account after the change, or the same object when nothing in it changes. */
function withChanges({ realm }: AccountCaller, before: UserRecord, values: SettingsValues): UserRecord {
  const user = values.full_name === undefined ? before : withFullName(realm, before, values.full_name);
  const { email_address_visibility: email_visibility = user.email_visibility, timezone = user.timezone } =
    values;
  const isSame = email_visibility === user.email_visibility && timezone === user.timezone;
  return isSame ? user : { ...user, email_visibility, timezone };
}

async function changeStoredSettings(
  tx: Tx,
  { realmId, user }: { realmId: number; user: UserRecord },
  values: SettingsValues,
): Promise<readonly ChangedSetting[]> {
  const current = await getSettingsRecord(tx, realmId, user.id);
  const { record, changed } = applySettings(current, values, { isOwn: true, skipsEdited: false });
  if (changed.length > 0) tx.set(settingsKeys.settings(realmId, user.id), record);
  updateDraftSync(tx, { realmId, userId: user.id }, changed);
  return changed;
}

function sendChangeEvents(
  app: ChatApp,
  tx: Tx,
  { realm, before, user, changed }: {
    realm: AccountCaller["realm"];
    before: UserRecord;
    user: UserRecord;
    changed: readonly ChangedSetting[];
  },
): void {
  const context = { realm, user, now: app.clock.now() };
  if (user.full_name !== before.full_name) sendProfileEvent(tx, context, { full_name: user.full_name });
  sendSettingEvents(tx, context, changed);
  if (user.email_visibility !== before.email_visibility) {
    sendSettingEvents(tx, context, [{ name: "email_address_visibility", value: user.email_visibility }]);
    sendEmailEvents(tx, app, { ...context, isVisibilityChange: true });
  }
  if (user.timezone !== before.timezone) {
    sendSettingEvents(tx, context, [{ name: "timezone", value: user.timezone }]);
    sendProfileEvent(tx, context, { email: toApiEmail(app, realm, user), timezone: user.timezone });
  }
}

/** Maximum number of users changed in one commit, which can read 100 keys and write 800 KiB. */
export const MAX_USERS_PER_COMMIT = 80;

interface UsersChange {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
  readonly targets: TargetUsers;
  readonly values: SettingsValues;
}

/**
 * Updates the settings of several users for an administrator. All users are validated first, then changed in
 * commits of 80. A repeated call completes an interrupted change.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
async function updateSettingsForUsers(app: ChatApp, change: UsersChange): Promise<void> {
  const { realm, actingUser, targets, values } = change;
  if (targets.user_ids.length === 0 && targets.group_ids.length === 0) {
    throw new AppError("BAD_REQUEST", "Either user_ids or group_ids must be provided.");
  }
  requireAdmin(actingUser);
  requireSharedSettings(values);
  requireValidSettings(values);
  const ids = await listTargets(app, realm, targets);
  for (const batch of chunk(ids, MAX_USERS_PER_COMMIT)) {
    await transact(app.store, (tx) => updateBatch(app, tx, { ...change, ids: batch }));
    if (values.enable_drafts_synchronization !== false) continue;
    for (const id of batch) await deleteUnlistedDrafts(app, realm.id, id);
  }
}

async function updateBatch(
  { clock }: ChatApp,
  tx: Tx,
  { realm, actingUser, targets, values, ids }: UsersChange & { readonly ids: readonly number[] },
): Promise<void> {
  await getActingAdmin(tx, { realm, actingUser });
  const records = await Promise.all(ids.map((id) => getSettingsRecord(tx, realm.id, id)));
  const audiences = new Map<SettingName, number[]>();
  for (const [index, id] of ids.entries()) {
    const current = records[index];
    if (current === undefined) continue;
    const options = { isOwn: id === actingUser.id, skipsEdited: targets.skip_if_already_edited };
    const { record, changed } = applySettings(current, values, options);
    if (changed.length > 0) tx.set(settingsKeys.settings(realm.id, id), record);
    updateDraftSync(tx, { realmId: realm.id, userId: id }, changed);
    for (const { name } of changed) audiences.set(name, [...audiences.get(name) ?? [], id]);
  }
  recordAudit(tx, { realmId: realm.id, now: clock.now() }, {
    acting_user_id: actingUser.id,
    action: "user_settings_changed",
    target: { kind: "user", id: 0, name: "" },
    details: {
      people: String(ids.length),
      settings: listSentSettings(values).map(([name]) => name).join(", "),
    },
  });
  for (const [name, value] of listSentSettings(values)) {
    const audience = audiences.get(name);
    if (audience === undefined) continue;
    sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
      event: toSettingEvent({ name, value }),
      audience,
    });
  }
}

/**
 * Lists the ids of the target users in ascending order: the given users, deactivated ones included, and the
 * active members of the groups and of their subgroups. Bots in groups are skipped.
 * @throws AppError BAD_REQUEST for an unknown or deactivated group, an unknown user, and a bot given by id.
 */
async function listTargets(
  app: ChatApp,
  realm: RealmRecord,
  { user_ids, group_ids }: TargetUsers,
): Promise<readonly number[]> {
  const members = group_ids.length === 0 ? [] : await listMembers(app, realm, [...new Set(group_ids)]);
  // An invalid id is found before all others are read.
  for (const ids of chunk([...new Set(user_ids)], USERS_READ_AT_ONCE)) {
    const users = await Promise.all(ids.map((id) => readUser(app, realm.id, id)));
    const at = users.findIndex((user) => user === null || isBot(user));
    if (at >= 0) throw new AppError("BAD_REQUEST", `Invalid user ID: ${ids[at]}`);
  }
  return sortedUnique([...user_ids, ...members]);
}

async function listMembers(
  app: ChatApp,
  realm: RealmRecord,
  groupIds: readonly number[],
): Promise<readonly number[]> {
  const permissions = await peekPermissionContext(app, realm);
  for (const id of groupIds) requireActiveGroup(permissions, id);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active && !isBot(user));
  return groupIds.flatMap((id) => filterMembers(permissions, id, users).map((user) => user.id));
}

function requireActiveGroup({ realm, groups }: PermissionContext, id: number): void {
  if (systemGroupName(realm, id) !== null) return;
  const group = groups.get(id);
  if (group === undefined) throw new AppError("BAD_REQUEST", `Invalid user group ID: ${id}`);
  if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
}

/**
 * Updates the caller's own account and settings, or the settings of other users when target users are given.
 * @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL or RATE_LIMIT_HIT; nothing has changed then.
 */
export async function updateSettings(
  app: ChatApp,
  caller: AccountCaller,
  values: SettingsValues,
): Promise<void> {
  const { target_users: targets } = values;
  if (targets === undefined) return await updateOwnSettings(app, caller, values);
  await updateSettingsForUsers(app, { realm: caller.realm, actingUser: caller.user, targets, values });
}

/**
 * Changes the settings with which new accounts of the organization start; existing accounts keep theirs.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for the first invalid value.
 */
export async function updateSettingsDefaults(
  app: ChatApp,
  caller: Caller,
  input: SettingsInput,
): Promise<void> {
  requireValidSettings(input);
  const { id: realmId } = caller.realm;
  await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const key = settingsKeys.defaults(realmId);
    const before = { values: await tx.get<SettingsRecord["values"]>(key) ?? {}, edited: [] };
    const { record, changed } = applySettings(before, input, { isOwn: false, skipsEdited: false });
    if (changed.length === 0) return;
    tx.set(key, record.values);
    const at = { realmId, now: app.clock.now() };
    const effective = (values: SettingsRecord["values"]) =>
      Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? getSetting(name).defaultValue]));
    recordAudit(tx, at, {
      acting_user_id: actor.id,
      action: "realm_changed",
      target: { kind: "realm", id: realmId, name: caller.realm.name },
      details: diffDetails(
        effective(before.values),
        effective(record.values),
        changed.map(({ name }) => name),
      ),
    });
    const events = changed.map(({ name: property, value }) => ({
      event: { type: "realm_user_settings_defaults", op: "update", property, value },
      audience: "everyone" as const,
    }));
    sendEvents(tx, at, events);
  });
}
