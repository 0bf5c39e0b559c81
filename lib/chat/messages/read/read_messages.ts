import { type Key, keyName, toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { readMessagesVersion } from "../store.ts";

/** Number of messages from which a range is read. */
const MIN_RANGE = 8;
const BATCH = 100;
/** Estimated memory of a message without its texts, in bytes. */
const RECORD_BYTES = 1000;

/** Reads messages by id, in the order of the ids and without checking access; null for those that do not exist. */
export async function readMessages(
  app: ChatApp,
  realmId: number,
  ids: readonly number[],
): Promise<(MessageRecord | null)[]> {
  if (ids.length === 0) return [];
  const { changes } = await readMessagesVersion(app, realmId);
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const known = ids.map((id) => app.cache.find<MessageRecord>(keyName(toKey(id)), changes) ?? null);
  const missing = ids.filter((_, at) => known[at] === null);
  if (missing.length === 0) return known;
  const read = isRange(missing)
    ? await listMessages(app, realmId, { ids: missing, changes })
    : await Promise.all(missing.map((id) => readMessage(app, toKey(id), changes)));
  let next = 0;
  return known.map((message) => message ?? read[next++] ?? null);
}

/** Keeps a message in memory that was read after so many changes of its organization's messages. */
export function keepMessage(
  { cache }: Pick<ChatApp, "cache">,
  key: Key,
  { message, changes }: { message: MessageRecord; changes: number },
): void {
  const { content, rendered } = message;
  // Texts take one or two bytes for each unit.
  cache.keep(keyName(key), changes, message, RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)));
}

async function readMessage(app: ChatApp, key: Key, changes: number): Promise<MessageRecord | null> {
  const message = await app.reads.read<MessageRecord>(key);
  if (message !== null) keepMessage(app, key, { message, changes });
  return message;
}

/** Returns whether a range holds the messages and no others, so that its time reveals nothing about others. */
function isRange(ids: readonly number[]): boolean {
  return ids.length >= MIN_RANGE && Math.max(...ids) - Math.min(...ids) < ids.length;
}

/** Reads messages by the range of their ids, which costs much less than single reads. */
async function listMessages(
  app: ChatApp,
  realmId: number,
  { ids, changes }: { ids: readonly number[]; changes: number },
): Promise<(MessageRecord | null)[]> {
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const range = { start: toKey(Math.min(...ids)), end: toKey(Math.max(...ids) + 1) };
  const listed = new Map<number, MessageRecord>();
  for await (const entry of app.store.kv.list(range, { batchSize: BATCH })) {
    const { key, value: message } = toEntry<MessageRecord>(entry);
    keepMessage(app, key, { message, changes });
    listed.set(message.id, message);
  }
  return ids.map((id) => listed.get(id) ?? null);
}
