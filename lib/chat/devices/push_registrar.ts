import { registerPush, type RegistrationRequest } from "@/lib/bouncer/registration.ts";
import { admitLocalRealm, LOCAL_ORG_ID } from "@/lib/bouncer/remote_server.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { readRealm } from "@/lib/chat/organization/organizations/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { updateDevice } from "./devices.ts";
import {
  type DeviceChange,
  deviceKeys,
  deviceLock,
  type DeviceRecord,
  findRemoteBouncer,
  type PendingRegistration,
  type PushErrorCode,
  type QueuedRegistration,
  type RemoteBouncer,
} from "./model.ts";

/** Key of a queue entry, with the ids that it contains. */
interface RegistrationRef {
  readonly key: Key;
  readonly realmId: number;
  readonly userId: number;
  readonly id: number;
}

/** A queue entry that this process has leased. */
interface ClaimedRegistration extends RegistrationRef {
  readonly claim: string;
  readonly pending: PendingRegistration;
}

/** Outcome of a request to the bouncer: accepted, refused for good, or to be retried. */
type RegistrationOutcome = "accepted" | PushErrorCode | "later";

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
async function listDueRegistrations(
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

/** Leases a queue entry; null if another process has it, or the registration is obsolete or a day old. */
function claimRegistration(app: ChatApp, ref: RegistrationRef): Promise<ClaimedRegistration | null> {
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
async function finishRegistration(
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

/** A bouncer's answer, with a reason for the log if the registration has to be retried. */
interface BouncerAnswer {
  readonly outcome: RegistrationOutcome;
  readonly reason?: string;
}

/** Error codes that a retry would not change. */
const FINAL_CODES = new Set<unknown>(
  ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"] satisfies PushErrorCode[],
);

/** Registers a device at the remote bouncer; without one locally, if this server is a bouncer. */
async function registerWithBouncer(
  app: ChatApp,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const bouncer = findRemoteBouncer(app);
  try {
    if (bouncer !== null) return await registerWithRemote(bouncer, request);
  } catch (error) {
    return retryLater(`it cannot be reached: ${error instanceof Error ? error.name : "unknown"}`);
  }
  const isBouncer = app.config.pushBouncerKeys.length > 0;
  return isBouncer ? await registerLocally(app, request) : retryLater("none is configured");
}

async function registerWithRemote(
  { api, authorization }: RemoteBouncer,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const { status, body } = await fetchJson(`${api}/remotes/push/e2ee/register`, {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ ...request }),
  });
  if (status === 200 && getField(body, "result") === "success") return { outcome: "accepted" };
  const code = getField(body, "code");
  if (status === 400 && isFinalCode(code)) return { outcome: code };
  return retryLater(
    typeof code === "string" ? `it answered ${status} ${code.slice(0, 60)}` : `it answered ${status}`,
  );
}

async function registerLocally(
  { store, clock, secretKey, config }: ChatApp,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const bouncer = { store, clock, secretKey, keys: config.pushBouncerKeys };
  try {
    await admitLocalRealm(bouncer, request.realm_uuid);
    await registerPush(bouncer, LOCAL_ORG_ID, request);
    return { outcome: "accepted" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isFinalCode(error.code) ? { outcome: error.code } : retryLater(`it answered ${error.code}`);
  }
}

function retryLater(reason: string): BouncerAnswer {
  return { outcome: "later", reason };
}

function isFinalCode(code: unknown): code is PushErrorCode {
  return FINAL_CODES.has(code);
}

function getField(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

const EVERY_MS = 5000;
/** Number of queue entries read at once. */
const BATCH_SIZE = 100;
/** Number of concurrent requests to the bouncer. */
const CONCURRENCY = 8;

/** Creates the worker that registers devices, each at least once; several may run on one store. */
export function createPushRegistrar(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
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
  }, { everyMs: EVERY_MS, report });
}

/** Sends a registration; returns whether the bouncer was asked. Adds a failure's reason to `reasons`. */
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
