import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sweepDrafts } from "../users/draft_box.ts";
import { apiEmail } from "../users/email.ts";
import { putUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { type AccountHolder, getActingUser } from "./caller.ts";
import { countEmailChange, keepEmailChange, requireWantedEmail, type WantedEmail } from "./email_change.ts";
import { tellOfEmail, tellOfPerson, tellOfSettings } from "./events.ts";
import { withFullName } from "./full_name.ts";
import type { SettingsValues } from "./params.ts";
import { hashNewPassword, type NewPassword, requireMayChangePassword, withPassword } from "./password.ts";
import { type ChangedSetting, changeRecord, requireMeaningful } from "./rules.ts";
import { getSettings, keepDraftBox, settingsKeys } from "./store.ts";

/**
 * Changes somebody's own account and settings, all or nothing.
 * @throws AppError BAD_REQUEST for the first thing that cannot be, RATE_LIMIT_HIT for too many changes of the address.
 */
export async function changeOwnSettings(
  app: ChatApp,
  holder: AccountHolder,
  values: SettingsValues,
): Promise<void> {
  requireMeaningful(values);
  const checked = await requireAllowed(app, holder, values);
  const { realm } = holder;
  await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realm.id, holder.user);
    const user = withChanges(holder, before, { values, password: checked.password });
    if (user !== before) await putUser(tx, realm.id, user);
    if (checked.email !== null) await keepEmailChange(app, tx, { realm, user, wanted: checked.email });
    const changed = await changeSettings(tx, { realmId: realm.id, user }, values);
    tellOfChanges(app, tx, { realm, before, user, changed });
  });
  if (checked.email !== null) app.wakeMailer();
  if (values.enable_drafts_synchronization === false) await sweepDrafts(app, realm.id, holder.user.id);
}

/** What is slow or counted, done before the change itself, which may run more than once. */
interface Checked {
  readonly password: NewPassword | null;
  readonly email: WantedEmail | null;
}

async function requireAllowed(
  app: ChatApp,
  holder: AccountHolder,
  { new_password: newPassword, old_password: oldPassword, email, full_name }: SettingsValues,
): Promise<Checked> {
  const password = newPassword === undefined ? null : { oldPassword, newPassword };
  if (password !== null) await requireMayChangePassword(app, holder, password);
  const wanted = email === undefined ? null : await requireWantedEmail(app, holder, email);
  if (full_name !== undefined) withFullName(holder.realm, holder.user, full_name);
  if (wanted !== null) await countEmailChange(holder);
  return {
    password: password === null ? null : await hashNewPassword(app, holder, password),
    email: wanted,
  };
}

/** The account after the change; the very same where nothing in it changes. */
function withChanges(
  { realm }: AccountHolder,
  before: UserRecord,
  { values, password }: { values: SettingsValues; password: NewPassword | null },
): UserRecord {
  let user = password === null ? before : withPassword(before, password);
  if (values.full_name !== undefined) user = withFullName(realm, user, values.full_name);
  const { email_address_visibility: email_visibility = user.email_visibility, timezone = user.timezone } =
    values;
  const isSame = email_visibility === user.email_visibility && timezone === user.timezone;
  return isSame ? user : { ...user, email_visibility, timezone };
}

async function changeSettings(
  tx: Tx,
  { realmId, user }: { realmId: number; user: UserRecord },
  values: SettingsValues,
): Promise<readonly ChangedSetting[]> {
  const current = await getSettings(tx, realmId, user.id);
  const { record, changed } = changeRecord(current, values, { isOwn: true, sparesEdited: false });
  if (changed.length > 0) tx.set(settingsKeys.settings(realmId, user.id), record);
  keepDraftBox(tx, { realmId, userId: user.id }, changed);
  return changed;
}

function tellOfChanges(
  app: ChatApp,
  tx: Tx,
  { realm, before, user, changed }: {
    realm: AccountHolder["realm"];
    before: UserRecord;
    user: UserRecord;
    changed: readonly ChangedSetting[];
  },
): void {
  const about = { realm, user, now: app.clock.now() };
  if (user.full_name !== before.full_name) tellOfPerson(tx, about, { full_name: user.full_name });
  tellOfSettings(tx, about, changed);
  if (user.email_visibility !== before.email_visibility) {
    tellOfSettings(tx, about, [{ name: "email_address_visibility", value: user.email_visibility }]);
    tellOfEmail(tx, app, { ...about, isVisibilityChange: true });
  }
  if (user.timezone !== before.timezone) {
    tellOfSettings(tx, about, [{ name: "timezone", value: user.timezone }]);
    tellOfPerson(tx, about, { email: apiEmail(app, realm, user), timezone: user.timezone });
  }
}
