import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/channel.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import { listRealms, type RealmRecord } from "../realm/realm.ts";
import { removeMessage } from "./delete.ts";
import { messageKeys, type MessageRecord } from "./message.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A sweeper of all organizations; several servers on one store may sweep at the same time. */
export function createRetention(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweepAll(app, { isStopped, report }), { ...HOURLY, report });
}

/** Whether it is to end, and who hears of messages that could not be removed. */
interface Sweep {
  readonly isStopped: () => boolean;
  readonly report: (error: unknown) => void;
}

async function sweepAll(app: ChatApp, sweep: Sweep): Promise<number> {
  let removed = 0;
  for (const realm of await listRealms(app)) {
    const prefix = [...channelKeys.channels(realm.id)];
    for await (const entry of app.store.kv.list({ prefix }, { batchSize: 100 })) {
      removed += await sweepChannel(app, realm, { channel: toEntry<ChannelRecord>(entry).value, sweep });
    }
  }
  return removed;
}

/** Ids ascend with the time of sending, so the first message that is young enough ends the walk. */
async function sweepChannel(
  app: ChatApp,
  realm: RealmRecord,
  { channel, sweep }: { channel: ChannelRecord; sweep: Sweep },
): Promise<number> {
  const { message_retention_days: days } = channel;
  if (days === null || days <= 0) return 0;
  const before = app.clock.now() - days * DAY_MS;
  let removed = 0;
  const prefix = [...messageKeys.ofChannel(realm.id, channel.id)];
  for await (const { key } of app.store.kv.list({ prefix }, { batchSize: 100 })) {
    const id = key.at(-1);
    if (sweep.isStopped() || typeof id !== "number") break;
    // One that fails must not keep those behind it; it is tried again next time.
    const outcome = await expire(app, realm, { id, channelId: channel.id, before }).catch((error) => {
      sweep.report(error);
      return "failed";
    });
    if (outcome === false) break;
    if (outcome === true) removed++;
  }
  return removed;
}

/** Removes a message that is too old; false where it is young enough, or its channel keeps more by now. */
async function expire(
  app: ChatApp,
  realm: RealmRecord,
  { id, channelId, before }: { id: number; channelId: number; before: number },
): Promise<boolean> {
  return await transact(app.store, async (tx) => {
    const message = await tx.get<MessageRecord>(messageKeys.message(realm.id, id));
    const channel = await tx.get<ChannelRecord>(channelKeys.channel(realm.id, channelId));
    // Somebody else may have removed or moved it meanwhile.
    if (message === null || message.channel_id !== channelId) return true;
    if (channel === null || message.sent_at >= before || (channel.message_retention_days ?? 0) <= 0) {
      return false;
    }
    const permissions = await readPermissionContext(app, tx, realm.id);
    const found = { message, place: { kind: "channel", channel, isSeen: () => true } } as const;
    await removeMessage(app, tx, { permissions, found });
    return true;
  }, `message ${realm.id} ${id}`);
}
