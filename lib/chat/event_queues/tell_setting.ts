import type { ChatEvent } from "../events/emit.ts";
import { oldTypeOf } from "../user_settings/old_names.ts";
import { isSettingName } from "../user_settings/table.ts";
import { apiEmail } from "../users/email.ts";
import { can, type Receiver } from "./receiver.ts";

/** One's own setting: to clients that know no events of settings, as display or as notifications, too. */
export function tellSetting(receiver: Receiver, event: ChatEvent): ChatEvent[] {
  const { property, value, language_name } = event;
  if (can(receiver, "user_settings_object")) return [event];
  const type = typeof property === "string" && isSettingName(property) ? oldTypeOf(property) : null;
  if (type === null) return [event];
  const user = apiEmail(receiver.app, receiver.permissions.realm, receiver.user);
  const language = language_name === undefined ? {} : { language_name };
  const old = type === "update_display_settings"
    ? { type, user, setting_name: property, setting: value, ...language }
    : { type, user, notification_name: property, setting: value };
  return [event, old];
}
