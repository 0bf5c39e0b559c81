import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import type { Caller } from "../users/model.ts";
import type { AlertWord } from "./model.ts";

/** Sends the caller the list of their alert words; `now` in milliseconds since 1970 UTC. */
export function sendAlertWordsEvent(
  tx: Tx,
  now: number,
  { caller: { realm, actingUser }, words }: { caller: Caller; words: readonly AlertWord[] },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "alert_words", alert_words: words.map(({ word }) => word) },
    audience: [actingUser.id],
  });
}
