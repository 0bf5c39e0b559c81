import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  type DeviceChange,
  deviceKeys,
  deviceLock,
  type DeviceRecord,
  type PendingRegistration,
  type PushErrorCode,
  type QueuedRegistration,
} from "./model.ts";
import { updateDevice } from "./update_device.ts";

/** Key of a queue entry, with the ids that it contains. */
export interface RegistrationRef {
  readonly key: Key;
  readonly realmId: number;
  readonly userId: number;
  readonly id: number;
}

/** A queue entry that this process has leased. */
export interface ClaimedRegistration extends RegistrationRef {
  readonly claim: string;
  readonly pending: PendingRegistration;
}

/** Outcome of a request to the bouncer: accepted, refused for good, or to be retried. */
export type RegistrationOutcome = "accepted" | PushErrorCode | "later";

/** Length of a lease, in milliseconds: three times the time that the bouncer has to answer. */
const LEASE_MS = 15_000;
/** Age in milliseconds at which a registration is given up: bouncers refuse older ones. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Delays before retries, in milliseconds; the last one repeats. */
const RETRY_DELAYS_MS = [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** Queues a pending registration, in the commit that stores it on the device. */
export function enqueueRegistration(
  tx: Tx,
  { realmId, now, ...device }: DeviceChange,
  requestId: string,
): void {
  const entry: QueuedRegistration = { request_id: requestId, attempts: 0, claim: null };
  tx.set(deviceKeys.registration(now, realmId, device), entry);
}

/** Returns the due queue entries from `start` on, earliest first. Leased entries are not due. */
export async function listDueRegistrations(
  { store, clock }: ChatApp,
  start: Key,
  limit: number,
): Promise<RegistrationRef[]> {
  const end = [...deviceKeys.registrations, clock.now() + 1];
  const due: RegistrationRef[] = [];
  for await (const { key } of store.kv.list({ start: [...start], end }, { limit })) {
    const [realmId, userId, id] = key.slice(2).map(Number);
    if (realmId !== undefined && userId !== undefined && id !== undefined) {
      due.push({ key, realmId, userId, id });
    }
  }
  return due;
}

/**
 * Leases a queue entry. Returns null if another process has it, or if it is obsolete: the device is deleted
 * or has another registration, or this one is a day old.
 */
export function claimRegistration(app: ChatApp, ref: RegistrationRef): Promise<ClaimedRegistration | null> {
  const { key, realmId, userId, id } = ref;
  return transact(app.store, async (tx) => {
    const entry = await tx.get<QueuedRegistration>(key);
    if (entry === null) return null;
    tx.delete(key);
    const device = await readWaitingDevice(tx, ref, entry);
    if (device === null) return null;
    const now = app.clock.now();
    if (now - device.pending.queued_at >= GIVE_UP_MS) {
      await settleRegistration(tx, { ...ref, now }, { device, outcome: "REQUEST_EXPIRED" });
      return null;
    }
    const claimedKey = deviceKeys.registration(now + LEASE_MS, realmId, { userId, id });
    const claim = crypto.randomUUID();
    tx.set(claimedKey, { ...entry, claim } satisfies QueuedRegistration);
    return { ...ref, key: claimedKey, claim, pending: device.pending };
  }, deviceLock(realmId));
}

/** Applies the outcome of a leased entry; ignored if the lease has ended or the entry is obsolete by now. */
export async function finishRegistration(
  app: ChatApp,
  claimed: ClaimedRegistration,
  outcome: RegistrationOutcome,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const entry = await tx.get<QueuedRegistration>(claimed.key);
    if (entry?.claim !== claimed.claim) return;
    tx.delete(claimed.key);
    const device = await readWaitingDevice(tx, claimed, entry);
    if (device === null) return;
    const now = app.clock.now();
    if (outcome !== "later") return await settleRegistration(tx, { ...claimed, now }, { device, outcome });
    const delay = RETRY_DELAYS_MS[Math.min(entry.attempts, RETRY_DELAYS_MS.length - 1)] ?? 0;
    const due = Math.min(now + delay, device.pending.queued_at + GIVE_UP_MS);
    const retry: QueuedRegistration = { ...entry, attempts: entry.attempts + 1, claim: null };
    tx.set(deviceKeys.registration(due, claimed.realmId, claimed), retry);
  }, deviceLock(claimed.realmId));
}

type WaitingDevice = DeviceRecord & { readonly pending: PendingRegistration };

/** Returns the device of a queue entry if it still waits for that registration, else null. */
async function readWaitingDevice(
  tx: Tx,
  { realmId, userId, id }: RegistrationRef,
  { request_id }: QueuedRegistration,
): Promise<WaitingDevice | null> {
  const device = await tx.get<DeviceRecord>(deviceKeys.device(realmId, userId, id));
  const pending = device?.pending ?? null;
  if (device === null || pending?.request_id !== request_id || device.error_code !== null) return null;
  return { ...device, pending };
}

async function settleRegistration(
  tx: Tx,
  change: DeviceChange,
  { device, outcome }: { device: WaitingDevice; outcome: Exclude<RegistrationOutcome, "later"> },
): Promise<void> {
  const { token_id, token_kind } = device.pending;
  const after: DeviceRecord = outcome === "accepted"
    ? { ...device, push_token_id: token_id, token_kind, pending: null }
    : { ...device, error_code: outcome };
  await updateDevice(tx, change, { before: device, after });
}
