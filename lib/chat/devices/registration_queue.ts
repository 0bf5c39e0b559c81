import type { Key } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { changeDevice, type DeviceChange, deviceQueue } from "./change_device.ts";
import { deviceKeys, type DeviceRecord, type PendingRegistration, type PushErrorCode } from "./device.ts";

/** That the bouncer is to be told of a device. */
export interface QueuedRegistration {
  /** The registration that this is about; the device may have another one by now. */
  readonly request_id: string;
  /** How often the bouncer could not be told. */
  readonly attempts: number;
  /** Names the claim while a process tells of it. */
  readonly claim: string | null;
}

/** Where an entry of the queue stands, and whose it is. */
export interface QueuePlace {
  readonly key: Key;
  readonly realmId: number;
  readonly userId: number;
  readonly id: number;
}

/** A registration that is this process's to tell until its lease ends. */
export interface ClaimedRegistration extends QueuePlace {
  readonly claim: string;
  readonly pending: PendingRegistration;
}

/** What came of telling: the bouncer took it, refused it for good, or is to be told again. */
export type Outcome = "accepted" | PushErrorCode | "later";

/** Three times as long as the bouncer has for its answer; after that another process tells it. */
const LEASE_MS = 15_000;
/** After that long, what the device sealed is too old for every bouncer. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Pauses after the first failures; the last one is kept. */
const PAUSES_MS = [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** Has the bouncer told, from now on, of a registration that is stored with the same change. */
export function enqueueRegistration(
  tx: Tx,
  { realmId, now, ...place }: DeviceChange,
  requestId: string,
): void {
  const entry: QueuedRegistration = { request_id: requestId, attempts: 0, claim: null };
  tx.set(deviceKeys.registration(now, realmId, place), entry);
}

/** What is due behind `start`, the earliest first; what somebody is telling is not among it. */
export async function listDueRegistrations(
  { store, clock }: ChatApp,
  start: Key,
  limit: number,
): Promise<QueuePlace[]> {
  const end = [...deviceKeys.registrations, clock.now() + 1];
  const places: QueuePlace[] = [];
  for await (const { key } of store.kv.list({ start: [...start], end }, { limit })) {
    const [realmId, userId, id] = key.slice(2).map(Number);
    if (realmId !== undefined && userId !== undefined && id !== undefined) {
      places.push({ key, realmId, userId, id });
    }
  }
  return places;
}

/**
 * Takes an entry for a while; null where another process has it, and where it is over: the device is gone or has another
 * registration, or this one is a day old.
 */
export function claimRegistration(app: ChatApp, place: QueuePlace): Promise<ClaimedRegistration | null> {
  const { key, realmId, userId, id } = place;
  return transact(app.store, async (tx) => {
    const entry = await tx.get<QueuedRegistration>(key);
    if (entry === null) return null;
    tx.delete(key);
    const device = await waitingDevice(tx, place, entry);
    if (device === null) return null;
    const now = app.clock.now();
    if (now - device.pending.queued_at >= GIVE_UP_MS) {
      await settle(tx, { ...place, now }, { device, outcome: "REQUEST_EXPIRED" });
      return null;
    }
    const claimedKey = deviceKeys.registration(now + LEASE_MS, realmId, { userId, id });
    const claim = crypto.randomUUID();
    tx.set(claimedKey, { ...entry, claim } satisfies QueuedRegistration);
    return { ...place, key: claimedKey, claim, pending: device.pending };
  }, deviceQueue(realmId));
}

/** Notes what came of telling, unless the claim ended meanwhile, or the device is gone or has another registration. */
export async function finishRegistration(
  app: ChatApp,
  claimed: ClaimedRegistration,
  outcome: Outcome,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const entry = await tx.get<QueuedRegistration>(claimed.key);
    if (entry?.claim !== claimed.claim) return;
    tx.delete(claimed.key);
    const device = await waitingDevice(tx, claimed, entry);
    if (device === null) return;
    const now = app.clock.now();
    if (outcome !== "later") return await settle(tx, { ...claimed, now }, { device, outcome });
    const pause = PAUSES_MS[Math.min(entry.attempts, PAUSES_MS.length - 1)] ?? 0;
    const due = Math.min(now + pause, device.pending.queued_at + GIVE_UP_MS);
    const again: QueuedRegistration = { ...entry, attempts: entry.attempts + 1, claim: null };
    tx.set(deviceKeys.registration(due, claimed.realmId, claimed), again);
  }, deviceQueue(claimed.realmId));
}

type WaitingDevice = DeviceRecord & { readonly pending: PendingRegistration };

/** The device, where it still waits for what an entry is about. */
async function waitingDevice(
  tx: Tx,
  { realmId, userId, id }: QueuePlace,
  { request_id }: QueuedRegistration,
): Promise<WaitingDevice | null> {
  const device = await tx.get<DeviceRecord>(deviceKeys.device(realmId, userId, id));
  const pending = device?.pending ?? null;
  if (device === null || pending?.request_id !== request_id || device.error_code !== null) return null;
  return { ...device, pending };
}

async function settle(
  tx: Tx,
  change: DeviceChange,
  { device, outcome }: { device: WaitingDevice; outcome: Exclude<Outcome, "later"> },
): Promise<void> {
  const { token_id, token_kind } = device.pending;
  const after: DeviceRecord = outcome === "accepted"
    ? { ...device, push_token_id: token_id, token_kind, pending: null }
    : { ...device, error_code: outcome };
  await changeDevice(tx, change, { before: device, after });
}
