import { z } from "zod";
import { findMessages } from "../messages/find.ts";
import { readUserSettings } from "../user_settings/store.ts";
import { settingNames, settingOf } from "../user_settings/table.ts";
import { type OldSettingType, oldTypeOf } from "../user_settings/old_names.ts";
import { type Part, part } from "./part.ts";

const settingsSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, settingOf(name).schema])),
).meta({ id: "UserSettings" });

/** The caller's own settings. */
export const ownSettings = part(
  "user_settings",
  z.object({ user_settings: settingsSchema }),
  async ({ app, realm, user }) => ({ user_settings: await readUserSettings(app, realm.id, user) }),
);

function oldSettings(type: OldSettingType): Part {
  const names = settingNames.filter((name) => oldTypeOf(name) === type);
  const fields = Object.fromEntries(names.map((name) => [name, settingOf(name).schema.optional()]));
  const schema = z.object(fields).meta({ deprecated: true });
  return part(type, schema, async ({ app, realm, user, capabilities }) => {
    if (capabilities.includes("user_settings_object")) return {};
    const settings = await readUserSettings(app, realm.id, user);
    return Object.fromEntries(names.map((name) => [name, settings[name]]));
  });
}

/** One by one, the settings of the display as clients read them that do not know `user_settings`. */
export const oldDisplaySettings = oldSettings("update_display_settings");

/** The same of notifications. */
export const oldNotificationSettings = oldSettings("update_global_notifications");

/** The last message that the caller received. */
export const lastMessage = part(
  "message",
  z.object({ max_message_id: z.int().meta({ description: "-1 when there is none." }) }),
  async ({ app, permissions, user }) => {
    const walk = { from: Number.MAX_SAFE_INTEGER - 1, isUp: false };
    for await (const { message } of findMessages(app, permissions, { finding: { user, terms: [] }, walk })) {
      return { max_message_id: message.id };
    }
    return { max_message_id: -1 };
  },
);
