import { MAX_PUSH_REQUESTS, type NotifyAnswer, type PushRequest } from "@/lib/bouncer/notify.ts";
import type { Entry } from "@/lib/kv/key.ts";
import { encryptForDevice } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys, type DeviceRecord } from "../devices/device.ts";
import { forgetToken } from "../devices/forget_token.ts";
import { openPushKey, type ReachableDevice } from "../devices/reachable_devices.ts";
import { look, readMessage } from "../messages/access.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { realmKeys, type RealmRecord } from "../realm/realm.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import type { PushDelivery } from "./courier.ts";
import { messagePayload, removalPayload } from "./payload.ts";
import { claim, finish, placeOf, type PushSendJob, putBack, SEND_LEASE_MS } from "./push_queue.ts";
import type { NotificationReason } from "./reason.ts";
import { noteSent } from "./sent.ts";

/** What sends notifications, and where it tells of what went wrong: never tokens or content. */
export interface Sending {
  readonly app: ChatApp;
  readonly courier: PushDelivery;
  readonly report: (problem: string, fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * Jobs of one organization that go together: one for each device, so that each is told in order. What is left out waits
 * for the next time.
 */
export function inBundles(jobs: readonly Entry<PushSendJob>[]): readonly (readonly Entry<PushSendJob>[])[] {
  const firsts = firstOf(jobs, (job) => {
    const { realmId, userId, deviceId } = placeOf(job);
    return `${realmId} ${userId} ${deviceId}`;
  });
  return [...Map.groupBy(firsts, (job) => placeOf(job).realmId).values()].flatMap((own) => {
    const bundles: Entry<PushSendJob>[][] = [];
    for (let at = 0; at < own.length; at += MAX_PUSH_REQUESTS) {
      bundles.push(own.slice(at, at + MAX_PUSH_REQUESTS));
    }
    return bundles;
  });
}

/** The first of those with the same name, in their order. */
function firstOf<T>(all: readonly T[], name: (one: T) => string): T[] {
  return [...Map.groupBy(all, name).values()].flatMap((same) => same.slice(0, 1));
}

/**
 * Sends jobs of one organization, and puts back those that are to be tried again; false when somebody else has them.
 * Never rejects: jobs whose work failed are due again when their lease ends.
 */
export async function sendBundle(sending: Sending, due: readonly Entry<PushSendJob>[]): Promise<boolean> {
  const { app, report } = sending;
  try {
    const jobs = await claim(app.store, due, app.clock.now() + SEND_LEASE_MS);
    if (jobs !== null) await sendClaimed(sending, jobs);
    return jobs !== null;
  } catch (error) {
    report("notifications wait", { count: due.length, reason: String(error) });
    return false;
  }
}

async function sendClaimed(sending: Sending, jobs: readonly Entry<PushSendJob>[]): Promise<void> {
  const { app } = sending;
  const [first] = jobs;
  const realm = first === undefined
    ? null
    : await app.reads.read<RealmRecord>(realmKeys.realm(placeOf(first).realmId));
  if (realm === null || realm.is_deactivated) return await finish(app.store, jobs);
  const letters = await writeAll(sending, realm, jobs);
  // Accounts on one device have one token, and a call has each token once.
  for (let left = letters; left.length > 0;) {
    const round = new Set(firstOf(left, ({ request }) => request.token_id));
    await hand(sending, realm, [...round]);
    left = left.filter((letter) => !round.has(letter));
  }
}

/** A job with what is to be sent. */
interface Letter {
  readonly job: Entry<PushSendJob>;
  readonly request: PushRequest;
}

/** What was read, deleted or lost its device meanwhile is not told any more; one that fails is tried again. */
async function writeAll(
  { app, report }: Sending,
  realm: RealmRecord,
  jobs: readonly Entry<PushSendJob>[],
): Promise<Letter[]> {
  const permissions = await peekPermissionContext(app, realm);
  const letters = await Promise.all(jobs.map(async (job) => {
    try {
      const request = await writeOne(app, permissions, job);
      if (request !== null) return { job, request };
      await finish(app.store, [job]);
    } catch (error) {
      report("a notification was not written", { reason: String(error) });
      await putBack(app.store, job, app.clock.now());
    }
    return null;
  }));
  return letters.filter((letter) => letter !== null);
}

async function writeOne(
  app: ChatApp,
  permissions: PermissionContext,
  job: Entry<PushSendJob>,
): Promise<PushRequest | null> {
  const { realmId, userId, deviceId } = placeOf(job);
  const [device, user] = await Promise.all([
    app.reads.read<DeviceRecord>(deviceKeys.device(realmId, userId, deviceId)),
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
    const payload = removalPayload(app, { realm: permissions.realm, user, at, ids });
    return { ...await toRequest(reachable, payload), priority: "normal" };
  }
  const payload = await writeMessage(app, permissions, { user, job, reason: value.reason });
  return payload === null ? null : await toRequest(reachable, payload);
}

async function writeMessage(
  app: ChatApp,
  permissions: PermissionContext,
  { user, job, reason }: { user: UserRecord; job: Entry<PushSendJob>; reason: NotificationReason },
): Promise<string | null> {
  const { realmId, userId, messageId } = placeOf(job);
  const message = await readMessage(app, realmId, messageId);
  const seen = message === null ? null : await look(app, permissions, { message, user });
  if (seen?.isReceived !== true) return null;
  if (await isMarkedRead(app, realmId, { message: seen.message, userId })) return null;
  return await messagePayload(app, permissions.realm, { seen, user, reason });
}

/** A text for a device, encrypted. */
export async function toRequest(
  device: Pick<ReachableDevice, "push_key" | "push_key_id" | "push_token_id">,
  payload: string,
): Promise<PushRequest> {
  const encrypted = await encryptForDevice(device.push_key, payload);
  const { push_token_id: token_id, push_key_id } = device;
  return { token_id, push_key_id, encrypted_data: encrypted.toBase64(), priority: "high" };
}

async function hand(sending: Sending, realm: RealmRecord, letters: readonly Letter[]): Promise<void> {
  const { app, courier, report } = sending;
  const outcome = await courier.take(realm, letters.map(({ request }) => request)).then(
    (answer) => ({ ...answer, reason: "the provider did not take them" }),
    (error) => ({ ...NOTHING_TAKEN, reason: String(error) }),
  );
  const { delivered, gone, failed, reason } = outcome;
  const settled = new Set([...delivered, ...gone, ...failed]);
  const done = letters.filter(({ request }) => settled.has(request.token_id));
  const isTold = ({ job, request }: Letter) => "reason" in job.value && delivered.includes(request.token_id);
  await noteSent(app, done.filter(isTold).map(({ job }) => job));
  await finish(app.store, done.filter((letter) => !isTold(letter)).map(({ job }) => job));
  for (const { job, request } of letters.filter(({ request }) => gone.includes(request.token_id))) {
    const { realmId, userId, deviceId: id } = placeOf(job);
    await forgetToken(app, { realmId, userId, id }, request.token_id);
  }
  if (failed.length > 0) {
    report("notifications were refused: the bouncer is not configured for their provider", {
      count: failed.length,
    });
  }
  const left = letters.filter(({ request }) => !settled.has(request.token_id));
  if (left.length === 0) return;
  const isAgain = await Promise.all(left.map(({ job }) => putBack(app.store, job, app.clock.now())));
  const given_up = isAgain.filter((is) => !is).length;
  report("notifications were not handed on", { count: left.length, given_up, reason });
}

const NOTHING_TAKEN: NotifyAnswer = { delivered: [], gone: [], failed: [] };
