import { chunk } from "es-toolkit/array/chunk";
import { durably } from "@/lib/store/durably.ts";
import type { Entry, Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { isPushConfigured } from "../devices.ts";
import {
  type ConversationRecord,
  type MentionEdit,
  messageKeys,
  type MessageRecord,
} from "@/lib/chat/messages/model.ts";
import type { PushMessageJob } from "@/lib/chat/messages/push_jobs.ts";
import { readMessage } from "@/lib/chat/messages/store.ts";
import { readRealm } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  listReachableDeviceIds,
  type LookupCache,
  readEditNotificationReason,
  readNotificationReason,
} from "./notification_reason.ts";
import { deleteDue } from "@/lib/store/due_worker.ts";
import { GIVE_UP_MS, type PushSendJob, sendKeys } from "./model.ts";

const USERS_AT_ONCE = 50;
/** Number of jobs from which a batch is committed. One user adds at most 100. */
const MIN_BATCH_JOBS = 400;

/**
 * Creates a job for each device that a leased message notifies. Each commit saves the progress, so that a
 * process that continues after a crash creates no job twice.
 */
export async function fanOutMessage(
  app: ChatApp,
  claimed: Entry<PushMessageJob>,
  lookups: LookupCache,
): Promise<void> {
  const [realmId = 0, messageId = 0] = claimed.key.slice(2).map(Number);
  const found = await findMessage(app, realmId, messageId);
  if (found === null) return await deleteDue(app.store, [claimed]);
  const { permissions, message } = found;
  const { edit } = claimed.value;
  const recipientIds = await listRecipientIds(app, realmId, { message, lookups });
  const userIds = recipientIds.filter((id) => id > claimed.value.after);
  let job: Entry<PushMessageJob> | null = claimed;
  for await (const batch of planBatches(app, permissions, { message, edit, userIds, lookups })) {
    job = await writeBatch(app, job, batch);
    if (job === null) return;
  }
}

async function findMessage(app: ChatApp, realmId: number, messageId: number) {
  if (!isPushConfigured(app)) return null;
  const [realm, message] = await Promise.all([
    readRealm(app, realmId),
    readMessage(app, realmId, messageId),
  ]);
  if (realm === null || realm.is_deactivated || message === null) return null;
  if (app.clock.now() - message.sent_at >= GIVE_UP_MS) return null;
  return { permissions: permissionsOf(await app.readOrganization(realm.id), app.clock), message };
}

interface MessageWork {
  readonly message: MessageRecord;
  readonly lookups: LookupCache;
  /** Set if only users newly mentioned by an edit are notified. */
  readonly edit?: MentionEdit | undefined;
}

/** Returns the ids of a message's recipients who may have a reachable device, ascending. */
async function listRecipientIds(
  app: ChatApp,
  realmId: number,
  { message, lookups }: MessageWork,
): Promise<readonly number[]> {
  const { channel_id, conversation_id } = message;
  if (channel_id !== null) return await lookups.subscribersWithDevices(realmId, channel_id);
  const key = messageKeys.conversation(realmId, conversation_id ?? 0);
  return (await app.reads.read<ConversationRecord>(key))?.user_ids ?? [];
}

interface PlannedJob {
  readonly key: Key;
  readonly value: PushSendJob;
}

/** Jobs for one commit, with the last user handled; `after` is null in the final batch. */
interface PlannedBatch {
  readonly jobs: readonly PlannedJob[];
  readonly after: number | null;
}

async function* planBatches(
  app: ChatApp,
  permissions: PermissionContext,
  { userIds, ...work }: MessageWork & { readonly userIds: readonly number[] },
): AsyncGenerator<PlannedBatch> {
  let jobs: PlannedJob[] = [];
  for (const ids of chunk(userIds, USERS_AT_ONCE)) {
    const plans = await Promise.all(ids.map((userId) => planJobs(app, permissions, { ...work, userId })));
    for (const [index, own] of plans.entries()) {
      jobs.push(...own);
      if (jobs.length < MIN_BATCH_JOBS) continue;
      yield { jobs, after: ids[index] ?? 0 };
      jobs = [];
    }
  }
  yield { jobs, after: null };
}

async function planJobs(
  app: ChatApp,
  permissions: PermissionContext,
  { message, edit, userId, lookups }: MessageWork & { readonly userId: number },
): Promise<PlannedJob[]> {
  const reason = edit === undefined
    ? await readNotificationReason(app, permissions, { message, userId, lookups })
    : await readEditNotificationReason(app, permissions, { message, edit, userId, lookups });
  if (reason === null) return [];
  const { id: realmId } = permissions.realm;
  const devices = await listReachableDeviceIds(app, realmId, userId);
  return devices.map((deviceId) => ({
    key: sendKeys.send(permissions.now, { realmId, userId, deviceId, messageId: message.id }),
    value: { reason, attempts: 0, sent_at: message.sent_at },
  }));
}

/** Writes jobs with the progress, or finishes the message's; null if done or another process took over. */
async function writeBatch(
  { store }: ChatApp,
  job: Entry<PushMessageJob>,
  { jobs, after }: PlannedBatch,
): Promise<Entry<PushMessageJob> | null> {
  const value: PushMessageJob = { ...job.value, after: after ?? job.value.after };
  const result = await durably(store, () => {
    const atomic = store.kv.atomic().check(job);
    for (const { key, value } of jobs) atomic.set(key, value);
    return (after === null ? atomic.delete(job.key) : atomic.set(job.key, value)).commit();
  });
  return result.ok ? { key: job.key, value, versionstamp: result.versionstamp } : null;
}
