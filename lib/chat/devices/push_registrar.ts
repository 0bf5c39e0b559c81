import { registerPush, type RegistrationRequest } from "@/lib/bouncer/registration.ts";
import { admitLocalRealm, LOCAL_ORG_ID } from "@/lib/bouncer/remote_server.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type DueRow, ownerOf, parseDueKey } from "@/lib/chat/organization/collection.ts";
import { readRealm } from "@/lib/chat/organization/organizations/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { listDue, moveDue } from "@/lib/store/due_worker.ts";
import type { Entry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  deviceLock,
  type DeviceRecord,
  devices,
  findRemoteBouncer,
  type PendingRegistration,
  type PushErrorCode,
  type QueuedRegistration,
  registrationKey,
  REGISTRATIONS,
  type RemoteBouncer,
  updateDevice,
} from "./devices.ts";

/** Outcome of a request to the bouncer: accepted, refused for good, or to be retried. */
type RegistrationOutcome = "accepted" | PushErrorCode | "later";

/** Length of a lease, in milliseconds: three times the time that the bouncer has to respond. */
const LEASE_MS = 15_000;
/** Age in milliseconds at which a registration is given up: bouncers refuse older ones. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Delays before retries, in milliseconds; the last one repeats. */
const RETRY_DELAYS_MS = [30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** Applies the outcome of a leased entry; ignored if the lease has ended or the entry is obsolete by now. */
async function finishRegistration(
  app: ChatApp,
  { key, value }: Entry<QueuedRegistration>,
  outcome: RegistrationOutcome,
): Promise<void> {
  const { realmId, userId, id } = parseDueKey(key);
  const owner = ownerOf(realmId, userId);
  await transact(app.store, async (tx) => {
    const entry = await tx.get<QueuedRegistration>(key);
    if (entry?.request_id !== value.request_id) return;
    tx.delete(key);
    const device = await readWaitingDevice(tx, parseDueKey(key), value);
    if (device === null) return;
    const now = app.clock.now();
    const { queued_at, token_id, token_kind } = device.pending;
    if (outcome === "later") {
      const delay = RETRY_DELAYS_MS[Math.min(value.attempts, RETRY_DELAYS_MS.length - 1)] ?? 0;
      const due = Math.min(now + delay, queued_at + GIVE_UP_MS);
      const retry: QueuedRegistration = { ...value, attempts: value.attempts + 1 };
      return tx.set(registrationKey({ due, realmId, userId, id }), retry);
    }
    const after: DeviceRecord = outcome === "accepted"
      ? { ...device, push_token_id: token_id, token_kind, pending: null }
      : { ...device, error_code: outcome };
    await updateDevice(tx, { owner, now }, { before: device, after });
  }, deviceLock(owner));
}

/** Returns the device of a queue entry if it still waits for that registration, else null. */
async function readWaitingDevice(
  tx: Pick<Tx, "get">,
  { realmId, userId, id }: DueRow,
  { request_id }: QueuedRegistration,
): Promise<DeviceRecord & { readonly pending: PendingRegistration } | null> {
  const device = await tx.get<DeviceRecord>(devices.key(ownerOf(realmId, userId), id));
  const pending = device?.pending ?? null;
  if (device === null || pending?.request_id !== request_id || device.error_code !== null) return null;
  return { ...device, pending };
}

/** A bouncer's response, with a reason for the log if the registration has to be retried. */
interface BouncerAnswer {
  readonly outcome: RegistrationOutcome;
  readonly reason?: string;
}

/** Error codes that a retry would not change. */
const FINAL_CODES = new Set<unknown>(
  ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"] satisfies PushErrorCode[],
);

/** Registers a device at the remote bouncer; without one locally, if this server is a bouncer. */
async function registerWithBouncer(app: ChatApp, request: RegistrationRequest): Promise<BouncerAnswer> {
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
    let start = REGISTRATIONS;
    let count = 0;
    for (;;) {
      const range = { now: app.clock.now(), limit: BATCH_SIZE, start };
      const due = await listDue<QueuedRegistration>(app.store, REGISTRATIONS, range);
      const pending = due.values();
      const work = async () => {
        for (const entry of pending) {
          if (isStopped()) return;
          // A failed entry does not block the others. The next run retries it.
          await registerOne(app, entry, reasons).then((isSent) => count += Number(isSent), report);
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
async function registerOne(
  app: ChatApp,
  entry: Entry<QueuedRegistration>,
  reasons: Set<string>,
): Promise<boolean> {
  const now = app.clock.now();
  const [leased] = await moveDue(app.store, [entry], now + LEASE_MS) ?? [];
  if (leased === undefined) return false;
  const row = parseDueKey(leased.key);
  const device = await readWaitingDevice({ get: app.reads.read }, row, leased.value);
  if (device === null || now - device.pending.queued_at >= GIVE_UP_MS) {
    await finishRegistration(app, leased, "REQUEST_EXPIRED");
    return false;
  }
  const { token_id, bouncer_public_key, encrypted_push_registration } = device.pending;
  const realm = await readRealm(app, row.realmId);
  const { outcome, reason } = await registerWithBouncer(app, {
    realm_uuid: realm?.uuid ?? "",
    token_id,
    bouncer_public_key,
    encrypted_push_registration,
  });
  if (reason !== undefined) reasons.add(reason);
  await finishRegistration(app, leased, outcome);
  return true;
}
