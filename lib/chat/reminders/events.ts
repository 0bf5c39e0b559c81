import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import { toReminder } from "./api.ts";
import type { ReminderOwner, ReminderRecord } from "./model.ts";

/** Sends the owner an event about a new reminder; `now` in milliseconds since 1970 UTC. */
export function sendReminderEvent(
  tx: Tx,
  now: number,
  { owner, record }: { owner: ReminderOwner; record: ReminderRecord },
): void {
  const event = { type: "reminders", op: "add", reminders: [toReminder(owner, record)] };
  sendEvent(tx, { realmId: owner.realm.id, now }, { event, audience: [owner.user.id] });
}

/** Sends the owner an event about a reminder that was sent or deleted. */
export function sendReminderRemoval(
  tx: Tx,
  now: number,
  { owner, id }: { owner: ReminderOwner; id: number },
): void {
  const event = { type: "reminders", op: "remove", reminder_id: id };
  sendEvent(tx, { realmId: owner.realm.id, now }, { event, audience: [owner.user.id] });
}

/** Sends the owner that a reminder has failed: clients know no event that changes one. */
export function sendReminderFailure(
  tx: Tx,
  now: number,
  { owner, record }: { owner: ReminderOwner; record: ReminderRecord },
): void {
  sendReminderRemoval(tx, now, { owner, id: record.id });
  sendReminderEvent(tx, now, { owner, record });
}
