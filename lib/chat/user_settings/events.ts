import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { ChatEvent } from "../events/model.ts";
import { sendExportConsentEvent } from "../exports/events.ts";
import { sendEvent } from "../events/send_events.ts";
import { sendHiddenEmailEvent, sendUserEvent, type UserEventContext } from "../users/events.ts";
import { EMAIL_VISIBILITY, toApiEmail } from "../users/model.ts";
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

/** Sends changed properties of an account to the users who can access it. */
export function sendProfileEvent(
  tx: Tx,
  context: UserEventContext,
  changes: Readonly<Record<string, unknown>>,
): void {
  const person = { user_id: context.user.id, ...changes };
  sendUserEvent(tx, context, { type: "realm_user", op: "update", person });
}

/** Sends the events of a new address or visibility; only users who can see the address receive it. */
export function sendEmailEvents(
  tx: Tx,
  app: Pick<ChatApp, "config">,
  context: UserEventContext & { readonly isVisibilityChange: boolean },
): void {
  const { realm, user, isVisibilityChange } = context;
  const new_email = toApiEmail(app, realm, user);
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    sendProfileEvent(tx, context, { delivery_email: user.delivery_email });
    sendProfileEvent(tx, context, { new_email });
    return;
  }
  // Everyone first receives null, then the users who can still see the address receive it again.
  if (isVisibilityChange) {
    sendProfileEvent(tx, context, { delivery_email: null });
    sendProfileEvent(tx, context, { new_email });
  }
  sendHiddenEmailEvent(tx, context);
}
