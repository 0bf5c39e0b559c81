import { DISPLAY_SETTINGS } from "./display.ts";
import { NOTIFICATION_SETTINGS } from "./notifications.ts";
import { PRIVACY_SETTINGS } from "./privacy.ts";
import type { Setting, SettingValue } from "./setting.ts";

/** Every setting by its name: its parameter, its default and its documentation, in the order in which they are checked. */
export const SETTINGS = { ...DISPLAY_SETTINGS, ...NOTIFICATION_SETTINGS, ...PRIVACY_SETTINGS };

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS;

/** Values that were sent for settings; undefined where none was. */
export type SentSettings = Readonly<Partial<Record<SettingName, SettingValue | undefined>>>;

const table: Readonly<Record<SettingName, Setting<SettingValue>>> = SETTINGS;

/** The names of all settings. */
export const settingNames: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName);

/** Whether there is a setting of this name. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** What is known of a setting. */
export function settingOf(name: SettingName): Setting<SettingValue> {
  return table[name];
}

/** The settings that were sent, and their values. */
export function listSent(sent: SentSettings): [SettingName, SettingValue][] {
  return settingNames.flatMap((name): [SettingName, SettingValue][] => {
    const value = sent[name];
    return value === undefined ? [] : [[name, value]];
  });
}
