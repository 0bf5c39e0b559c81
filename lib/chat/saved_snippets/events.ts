import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import type { SnippetOwner } from "./model.ts";

/** Sends the owner an event about a change of their snippets; `now` in milliseconds since 1970 UTC. */
export function sendSnippetEvent(
  tx: Tx,
  now: number,
  { owner, ...change }: { owner: SnippetOwner; op: string; [member: string]: unknown },
): void {
  const { realm, user } = owner;
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "saved_snippets", ...change },
    audience: [user.id],
  });
}
