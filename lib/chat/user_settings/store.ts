import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { setDraftBox } from "../users/draft_box.ts";
import type { UserRecord } from "../users/user.ts";
import type { ChangedSetting, SettingsRecord } from "./rules.ts";
import type { SettingValue } from "./setting.ts";
import { settingNames, settingOf } from "./table.ts";

/** Where settings lie in the store. */
export const settingsKeys = {
  settings: (realmId: number, userId: number): Key => [realmId, "settings", userId],
  /** The address that a user asked for and has not confirmed. */
  pendingEmail: (realmId: number, userId: number): Key => [realmId, "pending_email", userId],
};

const NOTHING_SET: SettingsRecord = { values: {}, edited: [] };

/** What a user's settings are, as a transaction sees them. */
export async function getSettings(tx: Tx, realmId: number, userId: number): Promise<SettingsRecord> {
  return await tx.get<SettingsRecord>(settingsKeys.settings(realmId, userId)) ?? NOTHING_SET;
}

/** Drafts go with the setting that keeps them, in the same commit. */
export function keepDraftBox(
  tx: Tx,
  whose: { realmId: number; userId: number },
  changed: readonly ChangedSetting[],
): void {
  const drafts = changed.find(({ name }) => name === "enable_drafts_synchronization");
  if (drafts !== undefined) setDraftBox(tx, whose, drafts.value === true);
}

/** The value of every setting of a user, by its name. */
export async function readUserSettings(
  app: ChatApp,
  realmId: number,
  user: UserRecord,
): Promise<Readonly<Record<string, SettingValue>>> {
  const record = await app.reads.read<SettingsRecord>(settingsKeys.settings(realmId, user.id));
  const { values } = record ?? NOTHING_SET;
  return {
    ...Object.fromEntries(settingNames.map((name) => [name, values[name] ?? settingOf(name).byDefault])),
    timezone: user.timezone,
    email_address_visibility: user.email_visibility,
  };
}
