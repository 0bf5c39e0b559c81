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

/** Tells the bouncer of devices: at least once of each, also after a process was killed. */
export interface PushRegistrar {
  /** Looks for due registrations now and every few seconds. */
  start(): void;
  /** Looks now, for use after a commit that enqueued some; does nothing before `start`. */
  poke(): void;
  /** Ends it; settles when the answers that are waited for were noted. */
  stop(): Promise<void>;
  /** Tells of everything that is due now, started or not, and gives how many were told of. */
  sweep(): Promise<number>;
}

const EVERY_MS = 5000;
/** Registrations that are read at once. */
const READ_AT_ONCE = 100;
/** Registrations that are told at the same time. */
const TOLD_AT_ONCE = 8;

/** Works for all organizations; several servers on one store may do so at the same time. */
export function createPushRegistrar(app: ChatApp, report: (error: unknown) => void): PushRegistrar {
  let isStopped = false;
  let isWaiting = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let running: Promise<number> = Promise.resolve(0);
  const sweep = () =>
    running = running.catch(() => 0).then(() => {
      isWaiting = false;
      return sweepAll({ app, report, isStopped: () => isStopped });
    });
  const poke = () => {
    // One that has not begun yet finds what is due by then.
    if (timer === undefined || isStopped || isWaiting) return;
    isWaiting = true;
    sweep().catch(report);
  };
  return {
    start() {
      if (isStopped || timer !== undefined) return;
      timer = setInterval(poke, EVERY_MS);
      Deno.unrefTimer(timer);
      poke();
    },
    poke,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running.catch(() => 0);
    },
    sweep,
  };
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
