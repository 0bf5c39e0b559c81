import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "./realm.ts";

/** Whether an organization, and the server it is on, let people read who have no account. */
export function allowsSpectators(
  { config }: Pick<ChatApp, "config">,
  { settings, is_deactivated }: Pick<RealmRecord, "settings" | "is_deactivated">,
): boolean {
  return config.webPublicStreamsEnabled && settings.enable_spectator_access && !is_deactivated;
}
