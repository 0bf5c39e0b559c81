import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { realmKeys, type RealmRecord } from "../realm/realm.ts";
import { askBouncer } from "./ask_bouncer.ts";
import { deviceKeys } from "./device.ts";
import {
  claimRegistration,
  finishRegistration,
  listDueRegistrations,
  type QueuePlace,
} from "./registration_queue.ts";

const EVERY_MS = 5000;
/** Registrations that are read at once. */
const READ_AT_ONCE = 100;
/** Registrations that are told at the same time. */
const TOLD_AT_ONCE = 8;

/**
 * Tells the bouncer of devices, those of all organizations: at least once of each, also after a process was killed.
 * Several servers on one store may do so at the same time.
 */
export function createPushRegistrar(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweepAll({ app, report, isStopped }), { everyMs: EVERY_MS, report });
}

interface Sweeping {
  readonly app: ChatApp;
  readonly report: (error: unknown) => void;
  readonly isStopped: () => boolean;
}

async function sweepAll({ app, report, isStopped }: Sweeping): Promise<number> {
  const reasons = new Set<string>();
  let start: Key = deviceKeys.registrations;
  let count = 0;
  for (;;) {
    const places = await listDueRegistrations(app, start, READ_AT_ONCE);
    const rest = places.values();
    const work = async () => {
      for (const place of rest) {
        if (isStopped()) return;
        // One that fails must not keep the others waiting; it is tried again next time.
        await tellOf(app, place, reasons).then((isTold) => count += Number(isTold), report);
      }
    };
    await Promise.all(Array.from({ length: TOLD_AT_ONCE }, work));
    if (places.length < READ_AT_ONCE || isStopped()) break;
    start = [...places.at(-1)?.key ?? start, 0];
  }
  // A bouncer that is down is one problem, however many devices wait for it.
  for (const reason of reasons) report(reason);
  return count;
}

/** Whether the bouncer was asked; why in vain goes to `reasons`. */
async function tellOf(app: ChatApp, place: QueuePlace, reasons: Set<string>): Promise<boolean> {
  const claimed = await claimRegistration(app, place);
  if (claimed === null) return false;
  const { token_id, bouncer_public_key, encrypted_push_registration } = claimed.pending;
  const realm = await app.reads.read<RealmRecord>(realmKeys.realm(claimed.realmId));
  const { outcome, reason } = await askBouncer(app, {
    realm_uuid: realm?.uuid ?? "",
    token_id,
    bouncer_public_key,
    encrypted_push_registration,
  });
  if (reason !== undefined) reasons.add(reason);
  await finishRegistration(app, claimed, outcome);
  return true;
}
