import { exportKeys, type ExportRecord, parseDueKey } from "@/lib/chat/exports/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { compareIndex, type Complain } from "@/lib/chat/check_index.ts";
import { listPending, sizesBelow } from "./check_uploads.ts";

/** Compares an organization's data exports with their due rows and the bytes of their archives. */
export async function checkExports(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const exports = await readRecord<readonly ExportRecord[]>(kv, exportKeys.exports(realmId)) ?? [];
  compareIndex(complain, "due data exports", {
    wanted: exports.flatMap(({ id, due_at }): [string, unknown][] =>
      due_at === null ? [] : [[`${due_at} ${id}`, true]]
    ),
    found: await listDue(kv, realmId),
  });
  const found = await sizesBelow(kv, exportKeys.chunks(realmId));
  const archives = new Set<string>();
  for (const { id, archive } of exports) {
    if (archive === null) continue;
    archives.add(archive.blob);
    const { bytes, isInOrder } = found.get(archive.blob) ?? { bytes: 0, isInOrder: true };
    if (bytes !== archive.size) {
      complain(`the archive of data export ${id} has a size of ${archive.size} bytes; ${bytes} are stored.`);
    } else if (!isInOrder) complain(`the stored bytes of data export ${id} are not in order.`);
  }
  const pending = await listPending(kv, realmId);
  for (const blob of found.keys()) {
    if (!archives.has(blob) && !pending.has(blob)) {
      complain(`the stored bytes ${blob} have no data export.`);
    }
  }
}

async function listDue(kv: Kv, realmId: number): Promise<[string, unknown][]> {
  const rows: [string, unknown][] = [];
  for await (const { key, value } of kv.list({ prefix: [...exportKeys.dueRows] }, { batchSize: 500 })) {
    const due = parseDueKey(key);
    if (due.realmId === realmId) rows.push([`${due.time} ${due.id}`, value]);
  }
  return rows;
}
