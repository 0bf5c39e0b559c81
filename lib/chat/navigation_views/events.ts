import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import type { NavigationView, NavigationViewOwner } from "./model.ts";

/** A change of a navigation view as its event describes it. */
export type NavigationViewChange =
  | { readonly op: "add"; readonly navigation_view: NavigationView }
  | {
    readonly op: "update";
    readonly fragment: string;
    readonly data: Partial<Pick<NavigationView, "is_pinned" | "name">>;
  }
  | { readonly op: "remove"; readonly fragment: string };

/** Sends the owner an event about a change of their views; `now` in milliseconds since 1970 UTC. */
export function sendNavigationViewEvent(
  tx: Tx,
  now: number,
  { owner: { realm, user }, change }: { owner: NavigationViewOwner; change: NavigationViewChange },
): void {
  const event = { type: "navigation_view", ...change };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [user.id] });
}
