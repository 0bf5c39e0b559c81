import { toEntry } from "@/lib/store/key.ts";
import { readRecords, type RecordReading } from "@/lib/store/record_cache.ts";
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
  const reading = toMessageReading((await readMessagesVersion(app, realmId)).changes);
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const known = ids.map((id) => app.records.get<MessageRecord>(toKey(id), reading.version) ?? null);
  const missing = ids.filter((_, at) => known[at] === null);
  if (missing.length === 0) return known;
  const read = isRange(missing)
    ? await listMessages(app, realmId, { ids: missing, reading })
    : await readRecords<MessageRecord>(app, missing.map(toKey), reading);
  let next = 0;
  return known.map((message) => message ?? read[next++] ?? null);
}

/** Returns how messages are kept that are read after the counter of changes had a value. */
export function toMessageReading(version: number): RecordReading<MessageRecord> {
  return {
    version,
    // Texts take one or two bytes for each unit.
    countBytes: ({ content, rendered }) => RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)),
  };
}

/** Returns whether a range holds the messages and no others, so that its time reveals nothing about others. */
function isRange(ids: readonly number[]): boolean {
  return ids.length >= MIN_RANGE && Math.max(...ids) - Math.min(...ids) < ids.length;
}

/** Reads messages by the range of their ids, which costs much less than single reads. */
async function listMessages(
  { store, records }: ChatApp,
  realmId: number,
  { ids, reading }: { ids: readonly number[]; reading: RecordReading<MessageRecord> },
): Promise<(MessageRecord | null)[]> {
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const range = { start: toKey(Math.min(...ids)), end: toKey(Math.max(...ids) + 1) };
  const listed = new Map<number, MessageRecord>();
  for await (const entry of store.kv.list(range, { batchSize: BATCH })) {
    const { key, value: message } = toEntry<MessageRecord>(entry);
    records.keep(key, message, reading);
    listed.set(message.id, message);
  }
  return ids.map((id) => listed.get(id) ?? null);
}
