import { z } from "zod";
import { findMessages } from "../messages/find.ts";
import { readUserSettings } from "../user_settings/store.ts";
import { settingNames, settingOf } from "../user_settings/table.ts";
import { part } from "./part.ts";

const settingsSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, settingOf(name).schema])),
).meta({ id: "UserSettings" });

/** The caller's own settings. */
export const ownSettings = part(
  "user_settings",
  z.object({ user_settings: settingsSchema }),
  async ({ app, realm, user }) => ({ user_settings: await readUserSettings(app, realm.id, user) }),
);

/** The last message that the caller received. */
export const lastMessage = part(
  "message",
  z.object({ max_message_id: z.int().meta({ description: "-1 when there is none." }) }),
  async ({ app, world, user }) => {
    const walk = { from: Number.MAX_SAFE_INTEGER - 1, isUp: false };
    for await (const { message } of findMessages(app, world, { finding: { user, terms: [] }, walk })) {
      return { max_message_id: message.id };
    }
    return { max_message_id: -1 };
  },
);
