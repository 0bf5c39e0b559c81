import { uploadKeys, type UploadRecord } from "@/lib/chat/files/model.ts";
import {
  FILE_KINDS,
  fileKindOf,
  listDaySums,
  type Measure,
  readStorage,
} from "@/lib/chat/statistics/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Complain } from "@/lib/chat/check_index.ts";

/**
 * Checks the statistics of an organization: the size of its files by kind, and that the messages of each day by
 * channel and by kind are the same number. Other sums of days cannot be derived, as deletions do not change them.
 */
export async function checkStatistics(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  await checkStorage(kv, realmId, complain);
  const byKind = await sumDays(kv, { realmId, measure: "messages" }, ["public", "private"]);
  const byChannel = await sumDays(kv, { realmId, measure: "channel_messages" });
  for (const day of new Set([...byKind.keys(), ...byChannel.keys()])) {
    const [kinds, channels] = [byKind.get(day) ?? 0, byChannel.get(day) ?? 0];
    if (kinds === channels) continue;
    complain(`the messages of day ${day} are counted as ${kinds} by kind and ${channels} by channel.`);
  }
}

async function checkStorage(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const uploads = await listValues<UploadRecord>(kv, uploadKeys.uploads(realmId));
  const counted = await readStorage(kv, realmId);
  for (const kind of FILE_KINDS) {
    const size = uploads.reduce(
      (sum, upload) => fileKindOf(upload.content_type) === kind ? sum + upload.size : sum,
      0,
    );
    if (counted[kind] === size) continue;
    complain(
      `the counted size of files of the kind ${kind} is ${counted[kind]} bytes; their size is ${size}.`,
    );
  }
}

/** Returns the sums of a measure by day, of some of its parts or all. */
async function sumDays(
  kv: Kv,
  of: { readonly realmId: number; readonly measure: Measure },
  parts?: readonly (string | number)[],
): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  for await (const { day, part, count } of listDaySums(kv, of, { from: -Infinity, to: Infinity })) {
    if (parts?.includes(part) !== false) days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}
