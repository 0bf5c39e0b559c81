import type { Tx } from "@/lib/store/transact.ts";
import { queueEndEvent } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import type { Caller } from "../users/model.ts";
import { toScheduledMessage } from "./api.ts";
import type { ScheduledMessageRecord } from "./model.ts";

const TYPE = "scheduled_messages";

/**
 * Sends the owner an event about a new or changed scheduled message; `now` in milliseconds since 1970 UTC. A
 * message that is too large for an event ends the owner's queues, whose clients register again.
 */
export function sendScheduledMessageEvent(
  tx: Tx,
  now: number,
  { owner: { realm, actingUser }, op, record }: {
    owner: Caller;
    op: "add" | "update";
    record: ScheduledMessageRecord;
  },
): void {
  const audience = [actingUser.id];
  const at = { realmId: realm.id, now };
  if (record.rendered === null) {
    sendEvent(tx, at, queueEndEvent([TYPE], audience));
    return;
  }
  const shown = toScheduledMessage(record, record.rendered);
  const content = op === "add" ? { scheduled_messages: [shown] } : { scheduled_message: shown };
  sendEvent(tx, at, { event: { type: TYPE, op, ...content }, audience });
}

/** Sends the owner an event about a scheduled message that was sent or deleted. */
export function sendScheduledMessageRemoval(
  tx: Tx,
  now: number,
  { owner: { realm, actingUser }, id }: { owner: Caller; id: number },
): void {
  const event = { type: TYPE, op: "remove", scheduled_message_id: id };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [actingUser.id] });
}
