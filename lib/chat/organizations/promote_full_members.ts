import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvents } from "../events/send_events.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { collectFullMemberEvents } from "./events.ts";
import { listRealms } from "./store.ts";

/**
 * Creates an hourly worker that sends events for members whose waiting period has ended, including events for
 * the channels they gained access to. Several servers on one store may run it at the same time.
 */
export function createFullMemberPromoter(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => promoteFullMembers(app, isStopped), { ...HOURLY, report });
}

async function promoteFullMembers(app: ChatApp, isStopped: () => boolean): Promise<number> {
  let promoted = 0;
  for (const { id, settings, is_deactivated } of await listRealms(app)) {
    if (isStopped()) return promoted;
    if (settings.waiting_period_threshold === 0 || is_deactivated) continue;
    promoted += await transact(app.store, async (tx) => {
      const permissions = await readPermissionContext(app, tx, id);
      const { events, count } = await collectFullMemberEvents(app, tx, {
        before: permissions,
        after: permissions,
      });
      sendEvents(tx, { realmId: id, now: permissions.now }, events);
      return count;
    });
  }
  return promoted;
}
