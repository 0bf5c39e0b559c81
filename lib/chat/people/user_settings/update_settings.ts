import { chunk } from "es-toolkit/array/chunk";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { diffDetails } from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import type { ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf, requireActiveGroup } from "@/lib/chat/organization/permissions/store.ts";
import { sortedUnique } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { filterMembers } from "@/lib/chat/organization/permissions/model/membership.ts";
import { switchPresence } from "@/lib/chat/people/presence/report_presence.ts";
import { languageName } from "@/lib/chat/people/user_settings/model/registry.ts";
import {
  type AccountCaller,
  applySettings,
  type ChangedSetting,
  listSentSettings,
  requireSharedSettings,
  requireValidSettings,
  type SettingName,
  type SettingsInput,
  settingsKeys,
  type SettingsRecord,
  type SettingsValues,
  settingValue,
  type TargetUsers,
  withFullName,
} from "@/lib/chat/people/user_settings/model/settings.ts";
import { sendEmailEvents, sendProfileEvent } from "@/lib/chat/organization/users/events.ts";
import {
  type Caller,
  isBot,
  requireAdmin,
  toApiEmail,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { act, actAsAdmin, listUsers, readUsers } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  consumeEmailChange,
  hashNewPassword,
  type NewPassword,
  putEmailChange,
  type RequestedEmail,
  requireCurrentPassword,
  requireValidPasswordChange,
  validateNewEmail,
  withPassword,
} from "./change_account.ts";
import { getSettingsRecord } from "./store.ts";

export function toSettingEvent({ name, value }: ChangedSetting): ChatEvent {
  const event = { type: "user_settings", op: "update", property: name, value };
  return name === "default_language" ? { ...event, language_name: languageName(String(value)) } : event;
}

/** Sends a user their changed settings, and administrators the consent to exports of private data. */
function sendSettingEvents(
  context: ActionContext,
  { id: user_id }: UserRecord,
  changed: readonly ChangedSetting[],
): void {
  for (const setting of changed) {
    sendChangeEvent(context, toSettingEvent(setting), [user_id]);
    if (setting.name === "allow_private_data_export") {
      const event = { type: "realm_export_consent", user_id, consented: setting.value === true };
      sendChangeEvent(context, event, "admins");
    }
  }
}

/**
 * @throws AppError BAD_REQUEST for the first invalid value, RATE_LIMIT_HIT for too many changes of the email
 * address.
 */
async function updateOwnSettings(app: ChatApp, caller: AccountCaller, values: SettingsValues): Promise<void> {
  requireValidSettings(values);
  const checked = await checkChange(app, caller, values);
  const { realm } = caller;
  await act(app, caller, async (context) => {
    const { tx, actingUser: before } = context;
    const { password } = checked;
    const user = withChanges(
      caller,
      password === null ? before : withPassword(context, before, password),
      values,
    );
    if (user !== before) await putUser(tx, realm.id, user);
    if (checked.email !== null) await putEmailChange(context, user, checked.email);
    const changed = await writeSettings(app, tx, {
      owner: { realmId: realm.id, userId: user.id },
      values,
      options: { isOwn: true, skipsEdited: false },
    });
    sendChangeEvents(context, user, changed);
    const presence = changed.find(({ name }) => name === "presence_enabled");
    if (presence !== undefined) {
      await switchPresence(context, user, presence.value === true);
    }
  }, `settings ${realm.id}`);
  if (checked.email !== null) app.wakeMailer();
  if (values.enable_drafts_synchronization === false) {
    await app.hooks.deleteUnlistedDrafts(app, realm.id, caller.actingUser.id);
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
  if (full_name !== undefined) withFullName(caller.realm, caller.actingUser, full_name);
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

/** Writes the settings of a user after a change, and returns those that changed. */
async function writeSettings(
  { hooks }: ChatApp,
  tx: Tx,
  { owner, values, options }: {
    owner: { realmId: number; userId: number };
    values: SettingsValues;
    options: Parameters<typeof applySettings>[2];
  },
): Promise<readonly ChangedSetting[]> {
  const current = await getSettingsRecord(tx, owner.realmId, owner.userId);
  const { record, changed } = applySettings(current, values, options);
  if (changed.length > 0) tx.set(settingsKeys.settings(owner.realmId, owner.userId), record);
  const drafts = changed.find(({ name }) => name === "enable_drafts_synchronization");
  if (drafts !== undefined) await hooks.setDraftSync(tx, owner, drafts.value === true);
  return changed;
}

function sendChangeEvents(
  context: ActionContext,
  user: UserRecord,
  changed: readonly ChangedSetting[],
): void {
  const { app, realm, actingUser: before } = context;
  const { full_name, email_visibility, timezone } = user;
  if (full_name !== before.full_name) sendProfileEvent(context, user, { full_name });
  sendSettingEvents(context, user, changed);
  if (email_visibility !== before.email_visibility) {
    sendSettingEvents(context, user, [{ name: "email_address_visibility", value: email_visibility }]);
    sendEmailEvents(context, user, { isVisibilityChange: true });
  }
  if (timezone !== before.timezone) {
    sendSettingEvents(context, user, [{ name: "timezone", value: timezone }]);
    sendProfileEvent(context, user, { email: toApiEmail(app, realm, user), timezone });
  }
}

/** Maximum number of users changed in one commit, which can read 100 keys and write 800 KiB. */
export const MAX_USERS_PER_COMMIT = 80;

interface UsersChange {
  readonly targets: TargetUsers;
  readonly values: SettingsValues;
}

/**
 * Updates the settings of several users for an administrator. All users are validated first, then changed in
 * commits of 80. A repeated call completes an interrupted change.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
async function updateSettingsForUsers(app: ChatApp, caller: Caller, change: UsersChange): Promise<void> {
  const { realm, actingUser } = caller;
  const { targets, values } = change;
  if (targets.user_ids.length === 0 && targets.group_ids.length === 0) {
    throw new AppError("BAD_REQUEST", "Either user_ids or group_ids must be provided.");
  }
  requireAdmin(actingUser);
  requireSharedSettings(values);
  requireValidSettings(values);
  const ids = await listTargets(app, realm, targets);
  for (const batch of chunk(ids, MAX_USERS_PER_COMMIT)) {
    await actAsAdmin(app, caller, (context) => updateBatch(context, change, batch));
    if (values.enable_drafts_synchronization !== false) continue;
    for (const id of batch) await app.hooks.deleteUnlistedDrafts(app, realm.id, id);
  }
}

async function updateBatch(
  context: ActionContext,
  { targets, values }: UsersChange,
  ids: readonly number[],
): Promise<void> {
  const { app, tx, realm, actingUser } = context;
  const audiences = new Map<SettingName, number[]>();
  const changes = await Promise.all(ids.map((userId) => {
    const options = { isOwn: userId === actingUser.id, skipsEdited: targets.skip_if_already_edited };
    return writeSettings(app, tx, { owner: { realmId: realm.id, userId }, values, options });
  }));
  for (const [index, id] of ids.entries()) {
    for (const { name } of changes[index] ?? []) audiences.set(name, [...audiences.get(name) ?? [], id]);
  }
  auditAction(context, {
    action: "user_settings_changed",
    target: { kind: "user", id: 0, name: "" },
    details: {
      people: String(ids.length),
      settings: listSentSettings(values).map(([name]) => name).join(", "),
    },
  });
  for (const [name, value] of listSentSettings(values)) {
    const audience = audiences.get(name);
    if (audience !== undefined) sendChangeEvent(context, toSettingEvent({ name, value }), audience);
  }
}

/**
 * Lists the target users by id: those named, and active humans of the groups and their subgroups.
 * @throws AppError BAD_REQUEST for an unknown or deactivated group, an unknown user, and a bot given by id.
 */
async function listTargets(
  app: ChatApp,
  realm: RealmRecord,
  { user_ids, group_ids }: TargetUsers,
): Promise<readonly number[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  for (const id of group_ids) requireActiveGroup(permissions, id, `Invalid user group ID: ${id}`);
  const people = (await listUsers(app, realm.id)).filter((user) => user.is_active && !isBot(user));
  const members = [...new Set(group_ids)].flatMap((id) =>
    filterMembers(permissions, id, people).map((user) => user.id)
  );
  const users = await readUsers(app, realm.id, user_ids);
  const invalid = user_ids.find((id) => {
    const user = users.get(id);
    return user === undefined || isBot(user);
  });
  if (invalid !== undefined) throw new AppError("BAD_REQUEST", `Invalid user ID: ${invalid}`);
  return sortedUnique([...user_ids, ...members]);
}

/** @throws AppError BAD_REQUEST, UNAUTHORIZED_PRINCIPAL or RATE_LIMIT_HIT; nothing has changed then. */
export async function updateSettings(
  app: ChatApp,
  caller: AccountCaller,
  values: SettingsValues,
): Promise<void> {
  const { target_users: targets } = values;
  if (targets === undefined) return await updateOwnSettings(app, caller, values);
  await updateSettingsForUsers(app, caller, { targets, values });
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
  await actAsAdmin(app, caller, async (context) => {
    const { tx, realm: { id: realmId, name } } = context;
    const key = settingsKeys.defaults(realmId);
    const before = { values: await tx.get<SettingsRecord["values"]>(key) ?? {}, edited: [] };
    const { record, changed } = applySettings(before, input, { isOwn: false, skipsEdited: false });
    if (changed.length === 0) return;
    tx.set(key, record.values);
    const effective = (values: SettingsRecord["values"]) =>
      Object.fromEntries(changed.map(({ name }) => [name, settingValue(values, name)]));
    auditAction(context, {
      action: "realm_changed",
      target: { kind: "realm", id: realmId, name },
      details: diffDetails(effective(before.values), effective(record.values)),
    });
    for (const { name: property, value } of changed) {
      sendChangeEvent(context, { type: "realm_user_settings_defaults", op: "update", property, value });
    }
  });
}
