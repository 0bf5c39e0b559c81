import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { DISPLAY_SETTINGS } from "./display_settings.ts";
import { NOTIFICATION_SETTINGS } from "./notification_settings.ts";
import { PRIVACY_SETTINGS } from "./privacy_settings.ts";
import type { Setting, SettingValue } from "./setting.ts";

/**
 * All settings by name, each with parameter, default and documentation, in the order in which they are
 * checked.
 */
export const SETTINGS = { ...DISPLAY_SETTINGS, ...NOTIFICATION_SETTINGS, ...PRIVACY_SETTINGS };

/** Name of a setting. */
export type SettingName = keyof typeof SETTINGS;

/** New values of settings; undefined for a setting that was not sent. */
export type SettingsInput = Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;

/** The stored settings of a user, except those that are part of the account. */
export interface SettingsRecord {
  /** Values that differ from the default. */
  readonly values: Readonly<Partial<Record<SettingName, SettingValue>>>;
  /** Settings that the user has ever changed themselves. */
  readonly edited: readonly SettingName[];
}

/** A setting whose value has changed. */
export interface ChangedSetting {
  readonly name: SettingName;
  readonly value: SettingValue;
}

/**
 * Options of a change: whether users change their own settings, and whether settings they once edited are
 * skipped.
 */
export interface ChangeOptions {
  readonly isOwn: boolean;
  readonly skipsEdited: boolean;
}

/** Event types that announced settings before `user_settings` replaced them. */
export type LegacySettingEventType = "update_display_settings" | "update_global_notifications";

/** Keys of the stored settings. */
export const settingsKeys = {
  all: (realmId: number): Key => [realmId, "settings"],
  settings: (realmId: number, userId: number): Key => [realmId, "settings", userId],
  /** The values with which new accounts start, where they differ from the default. */
  defaults: (realmId: number): Key => [realmId, "settings_defaults"],
  /** The email address that a user requested and has not confirmed. */
  pendingEmail: (realmId: number, userId: number): Key => [realmId, "pending_email", userId],
};

/** Settings that are part of the account, because other users see them. */
export const ACCOUNT_SETTINGS = ["email_address_visibility", "timezone"] as const;

/** Privacy settings that the legacy event type for notifications announced. */
const LEGACY_NOTIFICATION_SETTINGS: readonly string[] = [
  ...["enable_digest_emails", "enable_login_emails", "enable_marketing_emails", "presence_enabled"],
];

const table: Readonly<Record<SettingName, Setting<SettingValue>>> = SETTINGS;

/** Names of all settings. */
export const settingNames: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName);

/** Returns whether a setting has this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** Returns the definition of a setting. */
export function getSetting(name: SettingName): Setting<SettingValue> {
  return table[name];
}

/** Returns the legacy event type that announced a setting, or null when none did. */
export function legacyEventType(name: SettingName): LegacySettingEventType | null {
  if (name in DISPLAY_SETTINGS || name === "timezone") return "update_display_settings";
  const isNotification = name in NOTIFICATION_SETTINGS || LEGACY_NOTIFICATION_SETTINGS.includes(name);
  return isNotification ? "update_global_notifications" : null;
}

/** Returns the names and values of the settings that were sent. */
export function listSentSettings(input: SettingsInput): [SettingName, SettingValue][] {
  return settingNames.flatMap((name): [SettingName, SettingValue][] => {
    const value = input[name];
    return value === undefined ? [] : [[name, value]];
  });
}

/** Returns the record after a change, and the settings that changed; settings of the account are skipped. */
export function applySettings(
  { values, edited }: SettingsRecord,
  input: SettingsInput,
  { isOwn, skipsEdited }: ChangeOptions,
): { record: SettingsRecord; changed: readonly ChangedSetting[] } {
  const changed = listSentSettings(input)
    .filter(([name]) =>
      !ACCOUNT_SETTINGS.some((own) => own === name) && !(skipsEdited && edited.includes(name))
    )
    .filter(([name, value]) => (values[name] ?? getSetting(name).defaultValue) !== value)
    .map(([name, value]) => ({ name, value }));
  const all = { ...values, ...Object.fromEntries(changed.map(({ name, value }) => [name, value])) };
  const names = changed.map(({ name }) => name);
  return {
    record: {
      values: Object.fromEntries(
        listSentSettings(all).filter(([name, value]) => getSetting(name).defaultValue !== value),
      ),
      edited: isOwn ? [...new Set([...edited, ...names])] : edited,
    },
    changed,
  };
}

/**
 * Refuses values of the right type that are invalid, such as unknown languages and sounds, or too long
 * periods.
 * @throws AppError BAD_REQUEST for the first invalid value.
 */
export function requireValidSettings(input: SettingsInput): void {
  for (const [name, value] of listSentSettings(input)) {
    const problem = getSetting(name).findProblem?.(value) ?? null;
    if (problem !== null) throw new AppError("BAD_REQUEST", problem);
  }
}

/**
 * Refuses changes that only the user can make: personal settings, the email address and the password.
 * @throws AppError BAD_REQUEST.
 */
export function requireSharedSettings(
  input: SettingsInput & { readonly email?: string | undefined; readonly new_password?: string | undefined },
): void {
  const isPersonal = input.email !== undefined || input.new_password !== undefined ||
    listSentSettings(input).some(([name]) => getSetting(name).isPersonal);
  if (isPersonal) throw new AppError("BAD_REQUEST", "Cannot change this setting for other users.");
}
