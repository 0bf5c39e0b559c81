import type { Tx } from "@/lib/store/tx.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/send_events.ts";
import { toPresenceEvent } from "./events.ts";
import {
  presenceKeys,
  type PresenceRecord,
  type PresenceTimes,
  type PresenceViewer,
  toHiddenTimes,
} from "./model.ts";
import { putPresence } from "./store.ts";

/**
 * Applies a change of a user's setting `presence_enabled` in its transaction: from then on they are shown as active, or
 * as offline. Sends an event to all who can access them, however many these are.
 */
export async function switchPresence(
  app: ChatApp,
  tx: Tx,
  { realm, user, isEnabled }: PresenceViewer & { readonly isEnabled: boolean },
): Promise<void> {
  const before = await tx.get<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  const now = app.clock.now();
  const times = toSwitchedTimes(before, { now, isActive: isEnabled && !realm.settings.presence_disabled });
  if (times === null) return;
  const record = { user_id: user.id, ...times, update_id: await tx.nextId("presence") };
  putPresence(tx, realm.id, { before, record: isEnabled ? record : { ...record, is_hidden: true } });
  if (realm.settings.presence_disabled) return;
  const event = toPresenceEvent(app, { realm, presence: { user, times }, now });
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: "everyone" });
}

/** Returns the times to store; null for a user without any, who is not shown before and after. */
function toSwitchedTimes(
  before: PresenceTimes | null,
  { now, isActive }: { now: number; isActive: boolean },
): PresenceTimes | null {
  if (isActive) return { last_active: now, last_connected: now };
  return before === null ? null : toHiddenTimes(before, now);
}
