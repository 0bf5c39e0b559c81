import type { Tx } from "@/lib/store/transact.ts";
import type { Audience } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import type { Submessage } from "./model/submessage.ts";

/** Sends a submessage to the channel or conversation of its message. */
export function sendSubmessageEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { submessage: { id, ...content }, audience }: { submessage: Submessage; audience: Audience },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: { type: "submessage", submessage_id: id, ...content },
    audience,
  });
}
