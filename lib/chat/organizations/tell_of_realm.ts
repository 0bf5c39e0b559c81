import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { toSightEvents } from "../channels/tell_of_sight.ts";
import type { StoredEvent } from "../events/emit.ts";
import { tellTogether, toQueueEnd } from "../events/tell_together.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import { isFullMember } from "../permissions/system_groups.ts";
import { toFullMemberEvents } from "../permissions/tell_of_system_groups.ts";
import { listUsers } from "../users/store.ts";

/** An organization and its groups before and after a change. */
export interface RealmChange {
  readonly before: GroupWorld;
  readonly after: GroupWorld;
}

/**
 * Tells what follows from a change of an organization's settings: who is a full member now, and who no longer is. Guests who
 * may know of everybody now, or no longer may, begin anew: of how many people they would have to be told nobody can say.
 */
export async function tellOfRealm(app: ChatApp, tx: Tx, change: RealmChange): Promise<void> {
  const { before, after } = change;
  const told = isWaitingChange(change) ? await toWaitingEvents(app, change) : [];
  const [had, has] = [before, after].map(({ realm }) => realm.permissions["can_access_all_users_group"]);
  const ends = had === has ? [] : [toQueueEnd(["realm_user", "user_status", "presence"], "guests")];
  tellTogether(tx, { realmId: after.realm.id, now: after.now }, [...told, ...ends]);
}

function isWaitingChange({ before, after }: RealmChange): boolean {
  return before.realm.settings.waiting_period_threshold !== after.realm.settings.waiting_period_threshold;
}

async function toWaitingEvents(app: ChatApp, change: RealmChange): Promise<readonly StoredEvent[]> {
  const { before, after } = change;
  const users = await listUsers(app, after.realm.id);
  const viewers = users.filter((user) =>
    isFullMember(before.realm, user, before.now) !== isFullMember(after.realm, user, after.now)
  ).map((user) => ({ before: user, after: user }));
  return [
    ...toFullMemberEvents(change, users),
    ...await toSightEvents(app, { before, after, viewers }),
  ];
}
