import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import type { DraftOwner } from "./model.ts";

/** Sends the owner an event about a change of their drafts; `now` in milliseconds since 1970 UTC. */
export function sendDraftEvent(
  tx: Tx,
  now: number,
  { owner, ...change }: { owner: DraftOwner; op: string; [member: string]: unknown },
): void {
  const { realm, user } = owner;
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "drafts", ...change }, audience: [user.id] });
}
