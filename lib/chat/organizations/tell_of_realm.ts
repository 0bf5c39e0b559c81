import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { toSightEvents } from "../channels/tell_of_sight.ts";
import { tellTogether } from "../events/tell_together.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import { isFullMember } from "../permissions/system_groups.ts";
import { toFullMemberEvents } from "../permissions/tell_of_system_groups.ts";
import { listUsers } from "../users/store.ts";

/** An organization and its groups before and after a change. */
export interface RealmChange {
  readonly before: GroupWorld;
  readonly after: GroupWorld;
}

/** Tells what follows from a change of an organization's settings: who is a full member now, and who no longer is. */
export async function tellOfRealm(app: ChatApp, tx: Tx, change: RealmChange): Promise<void> {
  const { before, after } = change;
  const [was, is] = [before, after].map(({ realm }) => realm.settings.waiting_period_threshold);
  if (was === is) return;
  const users = await listUsers(app, after.realm.id);
  const viewers = users.filter((user) =>
    isFullMember(before.realm, user, before.now) !== isFullMember(after.realm, user, after.now)
  ).map((user) => ({ before: user, after: user }));
  tellTogether(tx, { realmId: after.realm.id, now: after.now }, [
    ...toFullMemberEvents(change, users),
    ...await toSightEvents(app, { before, after, viewers }),
  ]);
}
