import { chunk } from "es-toolkit/array/chunk";
import { MAX_PUSH_REQUESTS, type NotifyReport, type PushRequest } from "@/lib/bouncer/notify.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { ownerOf } from "@/lib/chat/organization/collection.ts";
import {
  type DeviceRecord,
  devices,
  isPushConfigured,
  listReachableDevices,
  openPushKey,
  type ReachableDevice,
  removePushToken,
} from "@/lib/chat/devices/devices.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { isMarkedRead } from "@/lib/chat/messages/read_marks.ts";
import { readMessage } from "@/lib/chat/messages/store.ts";
import { readRealm, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { encryptForDevice } from "@/lib/push/crypto.ts";
import type { Entry } from "@/lib/store/key.ts";
import { deleteDue, moveDue } from "@/lib/store/due_worker.ts";
import {
  getSendTarget,
  type NotificationReason,
  type PushSendJob,
  retryJob,
  SEND_LEASE_MS,
} from "./model.ts";
import { readMessagePayload, toCommonPayload, toRemovalPayload } from "./payload.ts";
import type { PushDelivery } from "./push_delivery.ts";
import { recordSent } from "./retract_notifications.ts";

/** Dependencies of the notifier. Reports never contain tokens or content. */
export interface NotifierParts {
  readonly app: ChatApp;
  readonly delivery: PushDelivery;
  readonly report: (problem: string, fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * Groups jobs by organization, in batches of one job per device, so that each device is notified in order.
 * Further jobs of a device are left out and wait for the next round.
 */
export function groupIntoBatches(
  jobs: readonly Entry<PushSendJob>[],
): readonly (readonly Entry<PushSendJob>[])[] {
  const firsts = uniqueBy(jobs, (job) => {
    const { realmId, userId, deviceId } = getSendTarget(job);
    return `${realmId} ${userId} ${deviceId}`;
  });
  const byRealm = Map.groupBy(firsts, (job) => getSendTarget(job).realmId);
  return [...byRealm.values()].flatMap((own) => chunk(own, MAX_PUSH_REQUESTS));
}

/** Returns the first item of each name, in order. */
function uniqueBy<T>(items: readonly T[], toName: (item: T) => string): T[] {
  return [...Map.groupBy(items, toName).values()].flatMap((same) => same.slice(0, 1));
}

/**
 * Leases and sends a batch, and requeues the jobs that have to be retried. Returns false if another process
 * has a job. Never rejects: jobs that fail are due again when their lease ends.
 */
export async function sendBatch(parts: NotifierParts, due: readonly Entry<PushSendJob>[]): Promise<boolean> {
  const { app, report } = parts;
  try {
    const jobs = await moveDue(app.store, due, app.clock.now() + SEND_LEASE_MS);
    if (jobs !== null) await sendClaimedJobs(parts, jobs);
    return jobs !== null;
  } catch (error) {
    report("notifications not sent; will retry", { count: due.length, reason: String(error) });
    return false;
  }
}

async function sendClaimedJobs(parts: NotifierParts, jobs: readonly Entry<PushSendJob>[]): Promise<void> {
  const { app } = parts;
  const [first] = jobs;
  const realm = first === undefined ? null : await readRealm(app, getSendTarget(first).realmId);
  if (realm === null || realm.is_deactivated) return await deleteDue(app.store, jobs);
  const pushes = await prepareAll(parts, realm, jobs);
  // Accounts on one device share a token, and a call may contain each token once.
  for (let left = pushes; left.length > 0;) {
    const round = new Set(uniqueBy(left, ({ request }) => request.token_id));
    await deliver(parts, realm, [...round]);
    left = left.filter((push) => !round.has(push));
  }
}

/** A job with its encrypted request. */
interface PreparedPush {
  readonly job: Entry<PushSendJob>;
  readonly request: PushRequest;
}

/** Encrypts the payloads of jobs. Finishes obsolete jobs and requeues those that fail. */
async function prepareAll(
  { app, report }: NotifierParts,
  realm: RealmRecord,
  jobs: readonly Entry<PushSendJob>[],
): Promise<PreparedPush[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const pushes = await Promise.all(jobs.map(async (job) => {
    try {
      const request = await prepareOne(app, permissions, job);
      if (request !== null) return { job, request };
      await deleteDue(app.store, [job]);
    } catch (error) {
      report("notification not prepared", { reason: String(error) });
      await retryJob(app.store, job, app.clock.now());
    }
    return null;
  }));
  return pushes.filter((push) => push !== null);
}

async function prepareOne(
  app: ChatApp,
  permissions: PermissionContext,
  job: Entry<PushSendJob>,
): Promise<PushRequest | null> {
  const { realmId, userId, deviceId } = getSendTarget(job);
  const [device, user] = await Promise.all([
    app.reads.read<DeviceRecord>(devices.key(ownerOf(realmId, userId), deviceId)),
    readUser(app, realmId, userId),
  ]);
  const { push_key_id = null, push_token_id = null } = device ?? {};
  const push_key = device === null ? null : await openPushKey(app, device);
  if (push_key_id === null || push_key === null || push_token_id === null) return null;
  if (user?.is_active !== true) return null;
  const reachable = { push_key, push_key_id, push_token_id };
  const { value } = job;
  if ("removed" in value) {
    const { removed: ids, sent_at: at } = value;
    const payload = toRemovalPayload(app, { realm: permissions.realm, user, at, ids });
    return { ...await encryptPushRequest(reachable, payload), priority: "normal" };
  }
  const payload = await readCurrentPayload(app, permissions, { user, job, reason: value.reason });
  return payload === null ? null : await encryptPushRequest(reachable, payload);
}

async function readCurrentPayload(
  app: ChatApp,
  permissions: PermissionContext,
  { user, job, reason }: { user: UserRecord; job: Entry<PushSendJob>; reason: NotificationReason },
): Promise<string | null> {
  const { realmId, userId, messageId } = getSendTarget(job);
  const message = await readMessage(app, realmId, messageId);
  const visible = message === null ? null : await toVisibleMessage(app, permissions, { message, user });
  if (visible?.isReceived !== true) return null;
  if (await isMarkedRead(app, realmId, { message: visible.message, userId })) return null;
  return await readMessagePayload(app, permissions.realm, { visible, user, reason });
}

/** Encrypts a payload for a device, as a request of high priority. */
async function encryptPushRequest(
  device: Pick<ReachableDevice, "push_key" | "push_key_id" | "push_token_id">,
  payload: string,
): Promise<PushRequest> {
  const encrypted = await encryptForDevice(device.push_key, payload);
  const { push_token_id: token_id, push_key_id } = device;
  return { token_id, push_key_id, encrypted_data: encrypted.toBase64(), priority: "high" };
}

async function deliver(
  parts: NotifierParts,
  realm: RealmRecord,
  pushes: readonly PreparedPush[],
): Promise<void> {
  const { app, delivery, report } = parts;
  const outcome = await delivery.deliver(realm, pushes.map(({ request }) => request)).then(
    (result) => ({ ...result, reason: "the provider did not take them" }),
    (error) => ({ ...NONE_DELIVERED, reason: String(error) }),
  );
  const { delivered, gone, failed, reason } = outcome;
  const settled = new Set([...delivered, ...gone, ...failed]);
  const done = pushes.filter(({ request }) => settled.has(request.token_id));
  const isSent = ({ job, request }: PreparedPush) =>
    "reason" in job.value && delivered.includes(request.token_id);
  await recordSent(app, done.filter(isSent).map(({ job }) => job));
  await deleteDue(app.store, done.filter((push) => !isSent(push)).map(({ job }) => job));
  for (const { job, request } of pushes.filter(({ request }) => gone.includes(request.token_id))) {
    const { realmId, userId, deviceId: id } = getSendTarget(job);
    await removePushToken(app, { realmId, userId, id }, request.token_id);
  }
  if (failed.length > 0) {
    report("notifications refused: the bouncer is not configured for their provider", {
      count: failed.length,
    });
  }
  const left = pushes.filter(({ request }) => !settled.has(request.token_id));
  if (left.length === 0) return;
  const areRetried = await Promise.all(left.map(({ job }) => retryJob(app.store, job, app.clock.now())));
  const given_up = areRetried.filter((isRetried) => !isRetried).length;
  report("notifications not delivered", { count: left.length, given_up, reason });
}

const NONE_DELIVERED: NotifyReport = { delivered: [], gone: [], failed: [] };

/**
 * Sends a test notification immediately, to one device or to the caller's 50 newest. Resolves once at least one provider has accepted it.
 * @throws AppError PUSH_SERVICE_NOT_CONFIGURED, NO_ACTIVE_PUSH_DEVICE, BAD_REQUEST, or UNAVAILABLE if no
 * provider accepts it.
 */
export async function sendTestNotification(
  app: ChatApp,
  delivery: PushDelivery,
  { realm, actingUser: user, deviceId }: Caller & { readonly deviceId: number | undefined },
): Promise<void> {
  if (!isPushConfigured(app)) throw notConfigured();
  const targets = await findTargetDevices(app, { realm, actingUser: user }, deviceId);
  const payload = JSON.stringify(toCommonPayload(app, { realm, user, type: "test", at: app.clock.now() }));
  const requests = await Promise.all(targets.map((device) => encryptPushRequest(device, payload)));
  const result = await delivery.deliver(realm, requests).catch((cause) => {
    throw new AppError("UNAVAILABLE", "The push service cannot be reached. Please try again later.", {
      cause,
    });
  });
  const { delivered, gone, failed } = result;
  for (const { id, push_token_id } of targets.filter((device) => gone.includes(device.push_token_id))) {
    await removePushToken(app, { realmId: realm.id, userId: user.id, id }, push_token_id);
  }
  if (delivered.length > 0) return;
  if (gone.length === targets.length) throw noDevice();
  if (failed.length > 0) throw notConfigured();
  throw new AppError("UNAVAILABLE", "The push service rejected the notification. Please try again later.");
}

/**
 * Sends a test notification for an older client to all devices of the user. The client may name the push token of
 * an older app, of which none is stored.
 * @throws AppError INVALID_PUSH_DEVICE_TOKEN for any token; otherwise as `sendTestNotification`.
 */
export async function sendLegacyTestNotification(
  app: ChatApp,
  delivery: PushDelivery,
  { token, ...caller }: Caller & { readonly token: string | undefined },
): Promise<void> {
  if (token !== undefined) throw new AppError("INVALID_PUSH_DEVICE_TOKEN", "Device not recognized");
  await sendTestNotification(app, delivery, { ...caller, deviceId: undefined });
}

async function findTargetDevices(
  app: ChatApp,
  caller: Caller,
  deviceId: number | undefined,
): Promise<ReachableDevice[]> {
  if (deviceId !== undefined) await devices.get({ get: app.reads.read }, caller, deviceId);
  const all = await listReachableDevices(app, caller.realm.id, caller.actingUser.id);
  const targets = deviceId === undefined ? all : all.filter(({ id }) => id === deviceId);
  if (targets.length === 0) throw noDevice();
  // A device registered twice has one token. The newest registration has the key that the device uses now.
  const byToken = new Map(targets.map((device) => [device.push_token_id, device]));
  return [...byToken.values()].slice(-MAX_PUSH_REQUESTS);
}

function noDevice(): AppError {
  return new AppError("NO_ACTIVE_PUSH_DEVICE", "No active registered push device");
}

function notConfigured(): AppError {
  return new AppError(
    "PUSH_SERVICE_NOT_CONFIGURED",
    "Server is not configured to use push notification service.",
  );
}
