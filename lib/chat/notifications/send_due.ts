import { MAX_PUSH_REQUESTS, type NotifyAnswer, type PushRequest } from "@/lib/bouncer/notify.ts";
import type { Entry } from "@/lib/kv/key.ts";
import { encryptForDevice } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import { forgetToken } from "../devices/forget_token.ts";
import { listReachable, type ReachableDevice } from "../devices/reachable_devices.ts";
import { look, readMessage } from "../messages/access.ts";
import { isMarkedRead } from "../messages/read_state.ts";
import { type GroupWorld, peekGroupWorld } from "../permissions/group_world.ts";
import { realmKeys, type RealmRecord } from "../realm/realm.ts";
import { readUser } from "../users/store.ts";
import type { Courier } from "./courier.ts";
import { messagePayload } from "./payload.ts";
import { claim, finish, LEASE_MS, placeOf, type PushSendJob, putBack } from "./push_queue.ts";

/** What sends notifications, and where it tells of what went wrong: never tokens or content. */
export interface Sending {
  readonly app: ChatApp;
  readonly courier: Courier;
  readonly report: (problem: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** Jobs of one organization that go together. */
export function inBundles(jobs: readonly Entry<PushSendJob>[]): readonly (readonly Entry<PushSendJob>[])[] {
  const byRealm = Map.groupBy(jobs, (job) => placeOf(job).realmId);
  return [...byRealm.values()].flatMap((own) => {
    const bundles: Entry<PushSendJob>[][] = [];
    for (let at = 0; at < own.length; at += MAX_PUSH_REQUESTS) {
      bundles.push(own.slice(at, at + MAX_PUSH_REQUESTS));
    }
    return bundles;
  });
}

/** Sends jobs of one organization, and puts back those that are to be tried again; false when somebody else has them. */
export async function sendBundle(sending: Sending, due: readonly Entry<PushSendJob>[]): Promise<boolean> {
  const { app } = sending;
  const jobs = await claim(app.store, due, app.clock.now() + LEASE_MS);
  const first = jobs?.[0];
  if (jobs === null || first === undefined) return false;
  const realm = await app.reads.read<RealmRecord>(realmKeys.realm(placeOf(first).realmId));
  const letters = realm === null || realm.is_deactivated ? [] : await writeAll(app, realm, jobs);
  const written = new Set(letters.map(({ job }) => job));
  // What was read, deleted or lost its device meanwhile is not told any more.
  await finish(app.store, jobs.filter((job) => !written.has(job)));
  if (realm !== null && letters.length > 0) await hand(sending, realm, letters);
  return true;
}

/** A job with what is to be sent. */
interface Letter {
  readonly job: Entry<PushSendJob>;
  readonly request: PushRequest;
}

async function writeAll(
  app: ChatApp,
  realm: RealmRecord,
  jobs: readonly Entry<PushSendJob>[],
): Promise<Letter[]> {
  const world = await peekGroupWorld(app, realm);
  const letters = await Promise.all(jobs.map(async (job) => {
    const request = await writeOne(app, world, job);
    return request === null ? null : { job, request };
  }));
  return letters.filter((letter) => letter !== null);
}

async function writeOne(
  app: ChatApp,
  world: GroupWorld,
  job: Entry<PushSendJob>,
): Promise<PushRequest | null> {
  const { realmId, userId, deviceId, messageId } = placeOf(job);
  const [devices, user, message] = await Promise.all([
    listReachable(app, realmId, userId),
    readUser(app, realmId, userId),
    readMessage(app, realmId, messageId),
  ]);
  const device = devices.find(({ id }) => id === deviceId);
  if (device === undefined || user === null || message === null) return null;
  const seen = await look(app, world, { message, user });
  if (seen?.isReceived !== true || await isMarkedRead(app, realmId, { message, userId })) return null;
  const payload = await messagePayload(app, world.realm, { seen, user, reason: job.value.reason });
  return payload === null ? null : await toRequest(device, payload);
}

/** A text for a device, encrypted. */
export async function toRequest(device: ReachableDevice, payload: string): Promise<PushRequest> {
  const encrypted = await encryptForDevice(device.push_key, payload);
  const { push_token_id: token_id, push_key_id } = device;
  return { token_id, push_key_id, encrypted_data: encrypted.toBase64(), priority: "high" };
}

async function hand(sending: Sending, realm: RealmRecord, letters: readonly Letter[]): Promise<void> {
  const { app, courier, report } = sending;
  let answer: NotifyAnswer = { delivered: [], gone: [], failed: [] };
  let reason = "the provider did not take them";
  try {
    answer = await courier.take(realm, letters.map(({ request }) => request));
  } catch (error) {
    reason = String(error);
  }
  const { delivered, gone, failed } = answer;
  const among = (ids: readonly string[]) => letters.filter(({ request }) => ids.includes(request.token_id));
  await finish(app.store, among([...delivered, ...gone, ...failed]).map(({ job }) => job));
  for (const { job, request } of among(gone)) {
    const { realmId, userId, deviceId: id } = placeOf(job);
    await forgetToken(app, { realmId, userId, id }, request.token_id);
  }
  if (failed.length > 0) {
    report("notifications were refused: the bouncer cannot reach their provider", { count: failed.length });
  }
  const settled = new Set([...delivered, ...gone, ...failed]);
  const left = letters.filter(({ request }) => !settled.has(request.token_id));
  const again = await Promise.all(left.map(({ job }) => putBack(app.store, job, app.clock.now())));
  if (left.length > 0) {
    report("notifications were not handed on", {
      count: left.length,
      given_up: again.filter((is) => !is).length,
      reason,
    });
  }
}
