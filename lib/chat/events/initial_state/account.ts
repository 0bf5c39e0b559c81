import { z } from "zod";
import { alertWordsSchema, readAlertWords, toAlertWords } from "@/lib/chat/alert_words.ts";
import { hasProviderToken } from "@/lib/chat/calls.ts";
import { devicesSchema } from "@/lib/chat/devices/register_for_push.ts";
import { listDevices } from "@/lib/chat/devices/devices.ts";
import { EMOJI_STYLES, SOUNDS } from "@/lib/chat/user_settings/model/registry.ts";
import {
  getSetting,
  legacyEventType,
  type LegacySettingEventType,
  settingNames,
} from "@/lib/chat/user_settings/model/settings.ts";
import { readSettingsDefaults, readUserSettings } from "@/lib/chat/user_settings/store.ts";
import { navigationViewList, navigationViewsSchema } from "@/lib/chat/navigation_views.ts";
import { type StatePart, statePart } from "./model.ts";

const settingsSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, getSetting(name).schema])),
).meta({ id: "UserSettings" });

const ownSettingsSchema = settingsSchema.extend({
  available_notification_sounds: z.array(z.string()),
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
}).meta({ id: "OwnUserSettings" });

/** The caller's own settings, and the choices for some of them. */
export const ownSettings = statePart(
  "user_settings",
  z.object({ user_settings: ownSettingsSchema }),
  async ({ app, realm, user }) => ({
    user_settings: {
      ...await readUserSettings(app, realm.id, user),
      available_notification_sounds: SOUNDS,
      emojiset_choices: EMOJI_STYLES,
    },
  }),
);

function legacySettings(type: LegacySettingEventType): StatePart {
  const names = settingNames.filter((name) => legacyEventType(name) === type);
  const fields = Object.fromEntries(names.map((name) => [name, getSetting(name).schema.optional()]));
  const schema = z.object(fields).meta({ deprecated: true });
  return statePart(type, schema, async ({ app, realm, user, capabilities }) => {
    if (capabilities.includes("user_settings_object")) return {};
    const settings = await readUserSettings(app, realm.id, user);
    return Object.fromEntries(names.map((name) => [name, settings[name]]));
  });
}

/** The display settings as separate fields, for clients that do not know `user_settings`. */
export const legacyDisplaySettings = legacySettings("update_display_settings");

/** The notification settings as separate fields, for clients that do not know `user_settings`. */
export const legacyNotificationSettings = legacySettings("update_global_notifications");

/** The caller's devices. */
export const devices = statePart("device", devicesSchema, async ({ app, realm, user }) => ({
  devices: await listDevices(app, { realm, user }),
}));

/** Whether the caller has authorized this server to create video calls for them. */
export const videoCalls = statePart(
  "has_videoprovider_token",
  z.object({ has_videoprovider_token: z.boolean() }),
  async ({ app, realm, user }) => ({
    has_videoprovider_token: await hasProviderToken(app, realm.id, user.id),
  }),
);

/** The caller's alert words. */
export const alertWords = statePart(
  "alert_words",
  alertWordsSchema,
  async ({ app, realm, user }) => toAlertWords(await readAlertWords(app, realm.id, user.id)),
);

/** The settings with which new accounts start. */
export const settingsDefaults = statePart(
  "realm_user_settings_defaults",
  z.object({ realm_user_settings_defaults: settingsSchema }),
  async ({ app, realm }) => ({ realm_user_settings_defaults: await readSettingsDefaults(app, realm.id) }),
);

/** The caller's navigation views. */
export const navigationViews = statePart(
  "navigation_views",
  navigationViewsSchema,
  async ({ app, realm, user }) => ({
    navigation_views: await navigationViewList.read(app, { realm, actingUser: user }),
  }),
);
