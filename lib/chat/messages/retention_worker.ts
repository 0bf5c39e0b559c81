import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { listRealms, type RealmRecord } from "../organizations/model.ts";
import { removeMessage } from "./delete_message.ts";
import { messageKeys, type MessageRecord } from "./model.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Creates the worker that deletes messages beyond their channel's retention; safe to run on several servers
 * of one store.
 */
export function createRetentionWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweepAll(app, { isStopped, report }), { ...HOURLY, report });
}

/** Stop signal and error report of one sweep. */
interface RetentionSweep {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function sweepAll(app: ChatApp, sweep: RetentionSweep): Promise<number> {
  let removed = 0;
  for (const realm of await listRealms(app)) {
    const prefix = [...channelKeys.channels(realm.id)];
    for await (const entry of app.store.kv.list({ prefix }, { batchSize: 100 })) {
      removed += await sweepChannel(app, realm, { channel: toEntry<ChannelRecord>(entry).value, sweep });
    }
  }
  return removed;
}

/** Sweeps oldest first; ids ascend with the send time, so the first recent message ends the sweep. */
async function sweepChannel(
  app: ChatApp,
  realm: RealmRecord,
  { channel, sweep }: { channel: ChannelRecord; sweep: RetentionSweep },
): Promise<number> {
  const { message_retention_days: days } = channel;
  if (days === null || days <= 0) return 0;
  const before = app.clock.now() - days * DAY_MS;
  let removed = 0;
  const prefix = [...messageKeys.ofChannel(realm.id, channel.id)];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: 100 })) {
    const id = key.at(-1);
    if (sweep.isStopped() || typeof id !== "number") break;
    // A failure must not block later messages; the next sweep retries it.
    const outcome = await expireMessage(app, realm, { id, channelId: channel.id, before }).catch((error) => {
      sweep.report(error);
      return "failed";
    });
    if (outcome === false) break;
    if (outcome === true) removed++;
  }
  return removed;
}

/**
 * Removes a message that is too old; returns false when it is recent or the channel now keeps messages
 * longer.
 */
async function expireMessage(
  app: ChatApp,
  realm: RealmRecord,
  { id, channelId, before }: { id: number; channelId: number; before: number },
): Promise<boolean> {
  const isRemoved = await transact(app.store, async (tx) => {
    const message = await tx.get<MessageRecord>(messageKeys.message(realm.id, id));
    const channel = await tx.get<ChannelRecord>(channelKeys.channel(realm.id, channelId));
    // The message may have been removed or moved since the listing.
    if (message === null || message.channel_id !== channelId) return true;
    if (channel === null || message.sent_at >= before || (channel.message_retention_days ?? 0) <= 0) {
      return false;
    }
    const permissions = await readPermissionContext(app, tx, realm.id);
    const editable = { message, location: { kind: "channel", channel, isVisible: () => true } } as const;
    await removeMessage(app, tx, { permissions, editable });
    return true;
  }, `message ${realm.id} ${id}`);
  app.wordIndexer.contentChanged(realm.id);
  return isRemoved;
}
