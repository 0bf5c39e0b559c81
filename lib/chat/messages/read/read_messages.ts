import { toEntry } from "@/lib/kv/key.ts";
import { readRecords, type RecordReading } from "@/lib/kv/record_cache.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { readMessagesVersion } from "../store.ts";

/** Number of messages from which a range is read, unless most ids of the range are others. */
const MIN_RANGE = 8;
const MAX_SPARSENESS = 2;
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
  const missing = ids.filter((id) =>
    app.records.get(messageKeys.message(realmId, id), reading.version) === undefined
  );
  if (isDense(missing)) {
    const listed = await listMessages(app, realmId, { ids: missing, reading });
    return ids.map((id) =>
      listed.get(id) ?? app.records.get<MessageRecord>(messageKeys.message(realmId, id), reading.version) ?? null
    );
  }
  const keys = ids.map((id) => messageKeys.message(realmId, id));
  return await readRecords<MessageRecord>({ kv: app.store.kv, records: app.records }, keys, reading);
}

/** Returns how messages are kept that are read after the counter of changes had a value. */
export function toMessageReading(version: number): RecordReading<MessageRecord> {
  return {
    version,
    // Texts take one or two bytes for each unit.
    countBytes: ({ content, rendered }) => RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)),
  };
}

function isDense(ids: readonly number[]): boolean {
  return ids.length >= MIN_RANGE && Math.max(...ids) - Math.min(...ids) < MAX_SPARSENESS * ids.length;
}

/** Reads the messages of a range, which costs much less than single reads. */
async function listMessages(
  { store, records }: ChatApp,
  realmId: number,
  { ids, reading }: { ids: readonly number[]; reading: RecordReading<MessageRecord> },
): Promise<ReadonlyMap<number, MessageRecord>> {
  const toKey = (id: number) => messageKeys.message(realmId, id);
  const range = { start: toKey(Math.min(...ids)), end: toKey(Math.max(...ids) + 1) };
  const listed = new Map<number, MessageRecord>();
  for await (const entry of store.kv.list(range, { batchSize: BATCH })) {
    const message = records.keep(toEntry<MessageRecord>(entry), reading);
    listed.set(message.id, message);
  }
  return listed;
}
