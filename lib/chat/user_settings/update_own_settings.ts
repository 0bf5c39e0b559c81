import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { deleteUnlistedDrafts } from "../drafts/store.ts";
import { switchPresence } from "../presence/switch_presence.ts";
import { toApiEmail, type UserRecord } from "../users/model.ts";
import { getActingUser, putUser } from "../users/store.ts";
import type { SettingsValues } from "./api.ts";
import {
  hashNewPassword,
  type NewPassword,
  requireCurrentPassword,
  requireValidPasswordChange,
  withPassword,
} from "./change_password.ts";
import { sendEmailEvents, sendProfileEvent, sendSettingEvents } from "./events.ts";
import { type AccountCaller, withFullName } from "./model/account.ts";
import { applySettings, type ChangedSetting, requireValidSettings, settingsKeys } from "./model/settings.ts";
import {
  consumeEmailChange,
  putEmailChange,
  type RequestedEmail,
  validateNewEmail,
} from "./request_email_change.ts";
import { getSettingsRecord, updateDraftSync } from "./store.ts";

/**
 * Updates the caller's own account and settings in one transaction.
 * @throws AppError BAD_REQUEST for the first invalid value, RATE_LIMIT_HIT for too many changes of the email
 * address.
 */
export async function updateOwnSettings(
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

/** Results of slow or rate-limited checks, which run before the transaction because it can be retried. */
interface CheckedChange {
  readonly password: NewPassword | null;
  readonly email: RequestedEmail | null;
}

async function checkChange(
  app: ChatApp,
  caller: AccountCaller,
  { new_password: newPassword, old_password: oldPassword, email, full_name }: SettingsValues,
): Promise<CheckedChange> {
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
