import { tellTogether } from "../events/tell_together.ts";
import { readGroupWorld } from "../permissions/group_world.ts";
import { toRoleEvents } from "../permissions/tell_of_system_groups.ts";
import type { UserRecord } from "../users/user.ts";
import type { AccountChange } from "./change_account.ts";

/** An account before and after it was given another role. */
export interface RoleStep {
  readonly before: UserRecord;
  readonly after: UserRecord;
}

/** Tells what else is other than before when accounts are given other roles together. */
export async function tellOfRoles(
  { app, tx, realm }: AccountChange,
  steps: readonly RoleStep[],
): Promise<void> {
  const world = await readGroupWorld(app, tx, realm.id);
  tellTogether(tx, { realmId: realm.id, now: world.now }, toRoleEvents(world, steps));
}
