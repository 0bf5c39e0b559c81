import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { SettingValue } from "./model/registry.ts";
import {
  type PendingEmail,
  type SettingName,
  settingNames,
  settingsKeys,
  type SettingsRecord,
  settingValue,
} from "./model/settings.ts";

const NO_SETTINGS: SettingsRecord = { values: {}, edited: [] };

export async function getSettingsRecord(tx: Tx, realmId: number, userId: number): Promise<SettingsRecord> {
  return await tx.get<SettingsRecord>(settingsKeys.settings(realmId, userId)) ?? NO_SETTINGS;
}

export async function readUserSettings(
  app: ChatApp,
  realmId: number,
  user: UserRecord,
): Promise<Readonly<Record<string, SettingValue>>> {
  const record = await app.reads.read<SettingsRecord>(settingsKeys.settings(realmId, user.id));
  const { values } = record ?? NO_SETTINGS;
  return {
    ...Object.fromEntries(settingNames.map((name) => [name, settingValue(values, name)])),
    timezone: user.timezone,
    email_address_visibility: user.email_visibility,
  };
}

/** Reads the value of a setting of a user that is not part of the account. */
export async function readSetting(
  { reads }: Pick<ChatApp, "reads">,
  { realmId, userId }: { realmId: number; userId: number },
  name: SettingName,
): Promise<SettingValue> {
  const { values } = await reads.read<SettingsRecord>(settingsKeys.settings(realmId, userId)) ?? NO_SETTINGS;
  return settingValue(values, name);
}

/** Reads the values of some settings of a user that are not part of the account, by name. */
export async function readSettingValues<Name extends SettingName>(
  { reads }: Pick<ChatApp, "reads">,
  { realmId, userId }: { realmId: number; userId: number },
  names: readonly Name[],
): Promise<Readonly<Partial<Record<Name, SettingValue>>>> {
  const { values } = await reads.read<SettingsRecord>(settingsKeys.settings(realmId, userId)) ?? NO_SETTINGS;
  const found: Partial<Record<Name, SettingValue>> = {};
  for (const name of names) found[name] = settingValue(values, name);
  return found;
}

/** Reads whether emoticons such as `:)` in a user's messages are converted to emoji. */
export async function readEmoticonOption(app: ChatApp, realmId: number, user: UserRecord): Promise<boolean> {
  return await readSetting(app, { realmId, userId: user.id }, "translate_emoticons") === true;
}

/** Reads the email address that a user has requested and can still confirm, or null. */
export async function readPendingEmail(
  app: ChatApp,
  realmId: number,
  user: UserRecord,
): Promise<string | null> {
  const pending = await app.reads.read<PendingEmail>(settingsKeys.pendingEmail(realmId, user.id));
  const isValid = pending !== null && pending.session_epoch === user.session_epoch &&
    pending.expires_at > app.clock.now();
  return isValid ? pending.address : null;
}

export async function readSettingsDefaults(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<Readonly<Record<string, SettingValue>>> {
  const values = await reads.read<SettingsRecord["values"]>(settingsKeys.defaults(realmId)) ?? {};
  return Object.fromEntries(settingNames.map((name) => [name, settingValue(values, name)]));
}

/** Writes the settings of a new account: the organization's defaults. */
export async function writeFirstSettings(
  { hooks }: Pick<ChatApp, "hooks">,
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<void> {
  const values = await tx.get<SettingsRecord["values"]>(settingsKeys.defaults(realmId));
  if (values === null) return;
  tx.set(settingsKeys.settings(realmId, userId), { values, edited: [] } satisfies SettingsRecord);
  const isSynchronized = values.enable_drafts_synchronization;
  if (isSynchronized !== undefined) {
    await hooks.setDraftSync(tx, { realmId, userId }, isSynchronized === true);
  }
}

/** Lists the ids of the accounts that allow the export of their private data. */
export async function listConsentingIds(
  app: Pick<ChatApp, "readOrganization">,
  realmId: number,
): Promise<ReadonlySet<number>> {
  const all = (await app.readOrganization(realmId)).rows<SettingsRecord>(settingsKeys.all(realmId)).entries();
  return new Set(
    all.flatMap(([id, { values }]) => values.allow_private_data_export === true ? [Number(id)] : []),
  );
}
