import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { queueEndEvent, type StoredEvent, USER_ACCESS_TYPES } from "@/lib/chat/organization/events/model.ts";
import { sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import { permissionsOf, toFullMemberEvents } from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { isFullMember } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { listRealms } from "./model.ts";

/** Key of the time at which full-member events were last sent, in milliseconds since 1970 UTC. */
const fullMembersSentKey = (realmId: number): Key => [realmId, "full_members_told"];

interface PermissionContextChange {
  readonly before: PermissionContext;
  readonly after: PermissionContext;
}

/**
 * Sends the events that follow from changed settings: promotions to full member, and the end of the guests'
 * event queues when guests gain or lose access to all users, as the number of users that would have to be
 * added or removed is unbounded.
 */
export async function sendPermissionEvents(
  app: ChatApp,
  tx: Tx,
  change: PermissionContextChange,
): Promise<void> {
  const { before, after } = change;
  const [oldPeriod, newPeriod] = [before, after].map(({ realm }) => realm.settings.waiting_period_threshold);
  const promotions = oldPeriod === newPeriod ? [] : (await collectFullMemberEvents(app, tx, change)).events;
  const [oldGroup, newGroup] = [before, after].map(({ realm }) =>
    realm.permissions["can_access_all_users_group"]
  );
  const ends = oldGroup === newGroup ? [] : [queueEndEvent(USER_ACCESS_TYPES, "guests")];
  sendEvents(tx, { realmId: after.realm.id, now: after.now }, [...promotions, ...ends]);
}

/** Returns the events of full members who changed since the last time, which it stores, and their number. */
async function collectFullMemberEvents(
  app: ChatApp,
  tx: Tx,
  { before, after }: PermissionContextChange,
): Promise<{ readonly events: readonly StoredEvent[]; readonly count: number }> {
  const key = fullMembersSentKey(after.realm.id);
  const sentAt = await tx.get<number>(key) ?? after.now - HOURLY.everyMs;
  tx.set(key, after.now);
  // Without a waiting period, users were announced as full members when they joined.
  const since = before.realm.settings.waiting_period_threshold === 0 ? before.now : sentAt;
  const change = { before: { ...before, now: since }, after };
  const users = [...(await readDirectory(app, after.realm.id)).byId.values()];
  const viewers = users.filter((user) =>
    isFullMember(before.realm, user, since) !== isFullMember(after.realm, user, after.now)
  ).map((user) => ({ before: user, after: user }));
  const events = [
    ...toFullMemberEvents(change, users),
    ...await app.hooks.toMetadataAccessEvents(app, { ...change, users: viewers }),
  ];
  return { events, count: viewers.length };
}

/** Creates the hourly worker of members whose waiting period has ended; several may run on one store. */
export function createFullMemberPromoter(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
    let promoted = 0;
    for (const { id, settings, is_deactivated } of await listRealms(app)) {
      if (isStopped()) return promoted;
      if (settings.waiting_period_threshold === 0 || is_deactivated) continue;
      promoted += await transact(app.store, async (tx) => {
        const permissions = permissionsOf(await tx.organization(id), app.clock);
        const { events, count } = await collectFullMemberEvents(app, tx, {
          before: permissions,
          after: permissions,
        });
        sendEvents(tx, { realmId: id, now: permissions.now }, events);
        return count;
      });
    }
    return promoted;
  }, { ...HOURLY, report });
}
