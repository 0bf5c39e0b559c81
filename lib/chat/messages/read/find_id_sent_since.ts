import type { ChatApp } from "@/lib/chat/app.ts";
import { channelKeys } from "@/lib/chat/channels/model/channel.ts";
import { toEntry } from "@/lib/store/key.ts";
import { type MessageRecord } from "../model.ts";

/**
 * Returns an id before which every message of an organization was sent before a time, in milliseconds since 1970
 * UTC. Ids ascend with the times of messages, so the number of reads grows with the logarithm of the ids.
 */
export async function findIdSentSince(app: ChatApp, realmId: number, sentSince: number): Promise<number> {
  let low = 0;
  let high = (await app.reads.read<number>(channelKeys.messageHead) ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await readNextMessage(app, realmId, { from: middle, to: high });
    if (next === null || next.sent_at >= sentSince) high = middle;
    else low = next.id + 1;
  }
  return low;
}

/** Reads the first message with an id from one on and before another; null when there is none. */
async function readNextMessage(
  { store }: ChatApp,
  realmId: number,
  { from, to }: { from: number; to: number },
): Promise<MessageRecord | null> {
  const range = { start: [realmId, "message", from], end: [realmId, "message", to] };
  for await (const entry of store.kv.list(range, { limit: 1 })) return toEntry<MessageRecord>(entry).value;
  return null;
}
