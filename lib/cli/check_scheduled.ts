import { reminderKeys, type ReminderRecord } from "@/lib/chat/reminders/model.ts";
import {
  parseDueKey,
  scheduledMessageKeys,
  type ScheduledMessageRecord,
} from "@/lib/chat/scheduled_messages/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { BATCH, compareIndex, type Complain, type Index, indexBelow } from "@/lib/chat/check_index.ts";

/** Number of entries read from the store at a time; scheduled messages can be long. */
const SMALL_BATCH = 50;

/** Compares the counts and due rows of scheduled messages and reminders with their records. */
export async function checkScheduled(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  for (
    const { name, keys } of [
      { name: "scheduled messages", keys: scheduledMessageKeys },
      { name: "reminders", keys: reminderKeys },
    ]
  ) {
    const counts = new Map<string, number>();
    const rows: [string, unknown][] = [];
    const prefix = [...keys.all(realmId)];
    for await (const entry of kv.list({ prefix }, { batchSize: SMALL_BATCH })) {
      const { key, value } = toEntry<ScheduledMessageRecord | ReminderRecord>(entry);
      const [userId, id] = key.slice(prefix.length).map(String);
      counts.set(`${userId}`, (counts.get(`${userId}`) ?? 0) + 1);
      if (value.failure === null) rows.push([`${value.due_at} ${userId} ${id}`, true]);
    }
    const found = await indexBelow(kv, keys.counts(realmId));
    compareIndex(complain, `counts of ${name}`, { wanted: [...counts], found });
    const due = await listDueRows(kv, keys.dueRows, realmId);
    compareIndex(complain, `due rows of ${name}`, { wanted: rows, found: due });
  }
}

/** Returns the due rows of an organization, each named by its time, user and id. */
async function listDueRows(kv: Kv, queue: Key, realmId: number): Promise<Index> {
  const rows: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...queue] }, { batchSize: BATCH })) {
    const row = parseDueKey(key);
    if (row.realmId === realmId) rows.push([`${String(key[1])} ${row.userId} ${row.id}`, value]);
  }
  return rows;
}
