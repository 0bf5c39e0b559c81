import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { readMessageHead } from "../channels/subscriptions/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { Caller } from "../users/model.ts";
import { type MutedUsersRecord, toMutedUsers } from "./model.ts";

/** Sends the caller the list of their muted users. */
export function sendMutedUsersEvent(
  { clock }: Pick<ChatApp, "clock">,
  tx: Tx,
  { caller: { realm, actingUser }, record }: { caller: Caller; record: MutedUsersRecord },
): void {
  sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
    event: { type: "muted_users", muted_users: toMutedUsers(record) },
    audience: [actingUser.id],
  });
}

/**
 * Sends the caller that all messages of a sender are read. The event names the sender and the latest message;
 * the messages, which can be many, are listed when the event is delivered.
 */
export async function sendSenderReadEvent(
  { clock }: Pick<ChatApp, "clock">,
  tx: Tx,
  { caller: { realm, actingUser }, senderId }: { caller: Caller; senderId: number },
): Promise<void> {
  const up_to = await readMessageHead(tx);
  sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
    event: { type: "update_message_flags", op: "add", flag: "read", up_to, sender_id: senderId },
    audience: [actingUser.id],
  });
}
