import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { queueEndEvent, sendEvents } from "../events/tell_together.ts";
import { noteFullMembers, type RealmChange } from "./full_members.ts";

/**
 * Tells what follows from a change of an organization's settings: who is a full member now, and who no longer is. Guests who
 * may know of everybody now, or no longer may, begin anew: of how many people they would have to be told nobody can say.
 */
export async function tellOfRealm(app: ChatApp, tx: Tx, change: RealmChange): Promise<void> {
  const { before, after } = change;
  const told = isWaitingChange(change) ? (await noteFullMembers(app, tx, change)).events : [];
  const [had, has] = [before, after].map(({ realm }) => realm.permissions["can_access_all_users_group"]);
  const ends = had === has ? [] : [queueEndEvent(["realm_user", "user_status", "presence"], "guests")];
  sendEvents(tx, { realmId: after.realm.id, now: after.now }, [...told, ...ends]);
}

function isWaitingChange({ before, after }: RealmChange): boolean {
  return before.realm.settings.waiting_period_threshold !== after.realm.settings.waiting_period_threshold;
}
