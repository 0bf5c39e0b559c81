import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { readRealm } from "../organizations/store.ts";
import { deviceKeys } from "./model.ts";
import { registerWithBouncer } from "./register_with_bouncer.ts";
import {
  claimRegistration,
  finishRegistration,
  listDueRegistrations,
  type RegistrationRef,
} from "./registration_queue.ts";

const EVERY_MS = 5000;
/** Number of queue entries read at once. */
const BATCH_SIZE = 100;
/** Number of concurrent requests to the bouncer. */
const CONCURRENCY = 8;

/**
 * Creates the worker that registers devices of all organizations at the bouncer, at least once each even if a
 * process is killed. Several servers may work on one store at the same time.
 */
export function createPushRegistrar(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => registerDue({ app, report, isStopped }), { everyMs: EVERY_MS, report });
}

interface RegistrarRun {
  readonly app: ChatApp;
  readonly report: (error: unknown) => void;
  readonly isStopped: () => boolean;
}

async function registerDue({ app, report, isStopped }: RegistrarRun): Promise<number> {
  const reasons = new Set<string>();
  let start: Key = deviceKeys.registrations;
  let count = 0;
  for (;;) {
    const due = await listDueRegistrations(app, start, BATCH_SIZE);
    const rest = due.values();
    const work = async () => {
      for (const ref of rest) {
        if (isStopped()) return;
        // A failed entry does not block the others. The next run retries it.
        await registerOne(app, ref, reasons).then((isSent) => count += Number(isSent), report);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (due.length < BATCH_SIZE || isStopped()) break;
    start = [...due.at(-1)?.key ?? start, 0];
  }
  // Each reason is reported once: an unreachable bouncer is one problem, however many devices wait for it.
  for (const reason of reasons) report(reason);
  return count;
}

/**
 * Sends one registration and returns whether the bouncer was asked. Adds the reason of a failure to
 * `reasons`.
 */
async function registerOne(app: ChatApp, ref: RegistrationRef, reasons: Set<string>): Promise<boolean> {
  const claimed = await claimRegistration(app, ref);
  if (claimed === null) return false;
  const { token_id, bouncer_public_key, encrypted_push_registration } = claimed.pending;
  const realm = await readRealm(app, claimed.realmId);
  const { outcome, reason } = await registerWithBouncer(app, {
    realm_uuid: realm?.uuid ?? "",
    token_id,
    bouncer_public_key,
    encrypted_push_registration,
  });
  if (reason !== undefined) reasons.add(reason);
  await finishRegistration(app, claimed, outcome);
  return true;
}
