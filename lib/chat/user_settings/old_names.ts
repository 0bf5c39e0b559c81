import { DISPLAY_SETTINGS } from "./display.ts";
import { NOTIFICATION_SETTINGS } from "./notifications.ts";
import type { SettingName } from "./table.ts";

/** The types of events that stood for settings before there was one type for all. */
export type OldSettingType = "update_display_settings" | "update_global_notifications";

const ALSO_NOTIFICATIONS: readonly string[] = [
  ...["enable_digest_emails", "enable_login_emails", "enable_marketing_emails", "presence_enabled"],
];

/** The older type of event that a setting was told by; null for settings that were never told by one. */
export function oldTypeOf(name: SettingName): OldSettingType | null {
  if (name in DISPLAY_SETTINGS || name === "timezone") return "update_display_settings";
  const isNotification = name in NOTIFICATION_SETTINGS || ALSO_NOTIFICATIONS.includes(name);
  return isNotification ? "update_global_notifications" : null;
}
