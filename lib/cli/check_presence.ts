import { presenceKeys, type PresenceRecord } from "@/lib/chat/presence/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import { compareIndex, type Complain, indexBelow } from "@/lib/chat/check_index.ts";

/** Compares the order of reports with the presence of an organization's users. */
export async function checkPresence(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const records = await listValues<PresenceRecord>(kv, presenceKeys.presences(realmId));
  compareIndex(complain, "order of reports of presence", {
    wanted: records.map(({ update_id, user_id }) => [String(update_id), user_id]),
    found: await indexBelow(kv, presenceKeys.updates(realmId)),
  });
  const head = await readRecord<number>(kv, presenceKeys.head) ?? 0;
  for (const { user_id, update_id } of records.filter((record) => record.update_id > head)) {
    complain(`user ${user_id} has presence ${update_id}; the last update is ${head}.`);
  }
}
