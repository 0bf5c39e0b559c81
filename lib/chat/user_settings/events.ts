import type { Tx } from "@/lib/store/transact.ts";
import type { ChatEvent } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import { sendExportConsentEvent } from "../exports/events.ts";
import type { UserEventContext } from "../users/events.ts";
import { languageName } from "./model/registry.ts";
import type { ChangedSetting } from "./model/settings.ts";

export function toSettingEvent({ name, value }: ChangedSetting): ChatEvent {
  const event = { type: "user_settings", op: "update", property: name, value };
  return name === "default_language" ? { ...event, language_name: languageName(String(value)) } : event;
}

/**
 * Sends a user one event for each of their changed settings, and administrators one about the consent to the export
 * of private data.
 */
export function sendSettingEvents(
  tx: Tx,
  context: UserEventContext,
  changed: readonly ChangedSetting[],
): void {
  const { realm, user, now } = context;
  for (const setting of changed) {
    sendEvent(tx, { realmId: realm.id, now }, { event: toSettingEvent(setting), audience: [user.id] });
    if (setting.name === "allow_private_data_export") {
      sendExportConsentEvent(tx, context, setting.value === true);
    }
  }
}
