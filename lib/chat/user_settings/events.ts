import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ChatEvent, sendEvent } from "../events/emit.ts";
import { apiEmail } from "../users/email.ts";
import { type AboutUser, sendHiddenEmailEvent, sendUserEvent } from "../users/tell_of_user.ts";
import { EMAIL_VISIBILITY } from "../users/user.ts";
import { languageName } from "./language.ts";
import type { ChangedSetting } from "./rules.ts";

/** That a setting has another value, as its user is told. */
export function toSettingEvent({ name, value }: ChangedSetting): ChatEvent {
  const event = { type: "user_settings", op: "update", property: name, value };
  return name === "default_language" ? { ...event, language_name: languageName(String(value)) } : event;
}

/** Tells a user of his own changed settings. */
export function tellOfSettings(
  tx: Tx,
  { realm, user, now }: AboutUser,
  changed: readonly ChangedSetting[],
): void {
  for (const setting of changed) {
    sendEvent(tx, { realmId: realm.id, now }, { event: toSettingEvent(setting), audience: [user.id] });
  }
}

/** Tells what an account's person changed about himself, to all who may know of him. */
export function tellOfPerson(tx: Tx, about: AboutUser, news: Readonly<Record<string, unknown>>): void {
  const person = { user_id: about.user.id, ...news };
  sendUserEvent(tx, about, { type: "realm_user", op: "update", person });
}

/** Tells of another address, or of another choice of who sees it; the real one to those alone who may see it. */
export function tellOfEmail(
  tx: Tx,
  app: Pick<ChatApp, "config">,
  about: AboutUser & { readonly isVisibilityChange: boolean },
): void {
  const { realm, user, isVisibilityChange } = about;
  const new_email = apiEmail(app, realm, user);
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    tellOfPerson(tx, about, { delivery_email: user.delivery_email });
    tellOfPerson(tx, about, { new_email });
    return;
  }
  // All forget the address first, and those who still may see it are told it again.
  if (isVisibilityChange) {
    tellOfPerson(tx, about, { delivery_email: null });
    tellOfPerson(tx, about, { new_email });
  }
  sendHiddenEmailEvent(tx, about);
}
