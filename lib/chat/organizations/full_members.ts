import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { toSightEvents } from "../channels/tell_of_sight.ts";
import type { StoredEvent } from "../events/emit.ts";
import { sendEvents } from "../events/tell_together.ts";
import { groupQueue, type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { isFullMember } from "../permissions/system_groups.ts";
import { toFullMemberEvents } from "../permissions/tell_of_system_groups.ts";
import { listRealms } from "../realm/realm.ts";
import { readDirectory } from "../users/directory.ts";

/** When it was last told who is a full member, in milliseconds since 1970 UTC. */
const toldKey = (realmId: number): Key => [realmId, "full_members_told"];

/** An organization and its groups at two moments. */
export interface RealmChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
}

/**
 * Tells hourly of those who became full members as their waiting period is over, and them of the channels that they know
 * by it; several servers on one store may do so at the same time.
 */
export function createFullMemberTeller(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => tellAll(app, isStopped), { ...HOURLY, report });
}

async function tellAll(app: ChatApp, isStopped: () => boolean): Promise<number> {
  let told = 0;
  for (const { id, settings, is_deactivated } of await listRealms(app)) {
    if (isStopped()) return told;
    if (settings.waiting_period_threshold === 0 || is_deactivated) continue;
    told += await transact(app.store, async (tx) => {
      const permissions = await readPermissionContext(app, tx, id);
      const { events, count } = await noteFullMembers(app, tx, { before: permissions, after: permissions });
      sendEvents(tx, { realmId: id, now: permissions.now }, events);
      return count;
    }, groupQueue(id));
  }
  return told;
}

/**
 * What is to be told of who is a full member after a change, or in the course of time, against what was told last; notes
 * that it is told. With it, how many accounts that concerns.
 */
export async function noteFullMembers(
  app: ChatApp,
  tx: Tx,
  { before, after }: RealmChange,
): Promise<{ readonly events: readonly StoredEvent[]; readonly count: number }> {
  const key = toldKey(after.realm.id);
  const toldAt = await tx.get<number>(key) ?? after.now - HOURLY.everyMs;
  tx.set(key, after.now);
  // Where nobody waits, everybody was told to be a full member when he joined.
  const since = before.realm.settings.waiting_period_threshold === 0 ? before.now : toldAt;
  const change = { before: { ...before, now: since }, after };
  const users = [...(await readDirectory(app, after.realm.id)).byId.values()];
  const viewers = users.filter((user) =>
    isFullMember(before.realm, user, since) !== isFullMember(after.realm, user, after.now)
  ).map((user) => ({ before: user, after: user }));
  const events = [
    ...toFullMemberEvents(change, users),
    ...await toSightEvents(app, { ...change, viewers }),
  ];
  return { events, count: viewers.length };
}
