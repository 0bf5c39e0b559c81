import { durably } from "@/lib/kv/durably.ts";
import type { Entry, Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { isPushConfigured } from "../devices/remote_bouncer.ts";
import { readMessage } from "../messages/access.ts";
import type { MentionEdit } from "../messages/added_mentions.ts";
import { type ConversationRecord, messageKeys, type MessageRecord } from "../messages/message.ts";
import type { PushMessageJob } from "../messages/push_job.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { realmKeys, type RealmRecord } from "../realm/realm.ts";
import { finish, GIVE_UP_MS, type PushSendJob, sendKeys } from "./push_queue.ts";
import { reasonFor } from "./reason_for.ts";
import { reasonForEdit } from "./reason_for_edit.ts";
import { listDevices } from "./receivers.ts";
import type { Lookups } from "./lookups.ts";

/** Accounts that are looked at together. */
const AT_ONCE = 50;
/** Jobs in one commit at least, before it is made; an account has 100 devices at most. */
const MANY_JOBS = 400;

/**
 * Makes of one claimed message a job for each device that is to be told of it. Each commit holds how far it came, so
 * that whoever goes on after a server was killed makes no job twice.
 */
export async function fanOut(app: ChatApp, claimed: Entry<PushMessageJob>, lookups: Lookups): Promise<void> {
  const [realmId = 0, messageId = 0] = claimed.key.slice(2).map(Number);
  const found = await findMessage(app, realmId, messageId);
  if (found === null) return await finish(app.store, [claimed]);
  const { permissions, message } = found;
  const { edit } = claimed.value;
  const receivers = await listReceivers(app, realmId, { message, lookups });
  const userIds = receivers.filter((id) => id > claimed.value.after);
  let job: Entry<PushMessageJob> | null = claimed;
  for await (const part of planAll(app, permissions, { message, edit, userIds, lookups })) {
    job = await write(app, job, part);
    if (job === null) return;
  }
}

async function findMessage(app: ChatApp, realmId: number, messageId: number) {
  if (!isPushConfigured(app)) return null;
  const [realm, message] = await Promise.all([
    app.reads.read<RealmRecord>(realmKeys.realm(realmId)),
    readMessage(app, realmId, messageId),
  ]);
  if (realm === null || realm.is_deactivated || message === null) return null;
  if (app.clock.now() - message.sent_at >= GIVE_UP_MS) return null;
  return { permissions: await peekPermissionContext(app, realm), message };
}

/** A message, and what is remembered while it is seen to. */
interface Asked {
  readonly message: MessageRecord;
  readonly lookups: Lookups;
  /** Where it is about an edit, and only those whom that named. */
  readonly edit?: MentionEdit | undefined;
}

/** The ids of the accounts that received a message and may have a device to be told on, ascending. */
async function listReceivers(
  app: ChatApp,
  realmId: number,
  { message, lookups }: Asked,
): Promise<readonly number[]> {
  const { channel_id, conversation_id } = message;
  if (channel_id !== null) return await lookups.subscribersWithDevices(realmId, channel_id);
  const key = messageKeys.conversation(realmId, conversation_id ?? 0);
  return (await app.reads.read<ConversationRecord>(key))?.user_ids ?? [];
}

/** A job, and where it is to lie. */
interface Planned {
  readonly key: Key;
  readonly value: PushSendJob;
}

/** Jobs for one commit, and the last account that they are for; null when all are seen to. */
interface Part {
  readonly jobs: readonly Planned[];
  readonly after: number | null;
}

async function* planAll(
  app: ChatApp,
  permissions: PermissionContext,
  { userIds, ...asked }: Asked & { readonly userIds: readonly number[] },
): AsyncGenerator<Part> {
  let jobs: Planned[] = [];
  for (let at = 0; at < userIds.length; at += AT_ONCE) {
    const ids = userIds.slice(at, at + AT_ONCE);
    const plans = await Promise.all(ids.map((userId) => plan(app, permissions, { ...asked, userId })));
    for (const [index, own] of plans.entries()) {
      jobs.push(...own);
      if (jobs.length < MANY_JOBS) continue;
      yield { jobs, after: ids[index] ?? 0 };
      jobs = [];
    }
  }
  yield { jobs, after: null };
}

async function plan(
  app: ChatApp,
  permissions: PermissionContext,
  { message, edit, userId, lookups }: Asked & { readonly userId: number },
): Promise<Planned[]> {
  const reason = edit === undefined
    ? await reasonFor(app, permissions, { message, userId, lookups })
    : await reasonForEdit(app, permissions, { message, edit, userId, lookups });
  if (reason === null) return [];
  const { id: realmId } = permissions.realm;
  const devices = await listDevices(app, realmId, userId);
  return devices.map((deviceId) => ({
    key: sendKeys.send(permissions.now, { realmId, userId, deviceId, messageId: message.id }),
    value: { reason, attempts: 0, sent_at: message.sent_at },
  }));
}

/** Writes jobs with how far they go; the last ones end the message's own. Null when somebody else goes on with it. */
async function write(
  { store }: ChatApp,
  job: Entry<PushMessageJob>,
  { jobs, after }: Part,
): Promise<Entry<PushMessageJob> | null> {
  const value: PushMessageJob = { ...job.value, after: after ?? job.value.after };
  const result = await durably(store, () => {
    const atomic = store.kv.atomic().check(job);
    for (const planned of jobs) atomic.set(planned.key, planned.value);
    return (after === null ? atomic.delete(job.key) : atomic.set(job.key, value)).commit();
  });
  return result.ok ? { key: job.key, value, versionstamp: result.versionstamp } : null;
}
