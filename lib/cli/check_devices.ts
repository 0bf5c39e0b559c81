import { pushJobKeys } from "@/lib/chat/messages/push_jobs.ts";
import {
  deviceKeys,
  type DeviceRecord,
  isReachable,
  type QueuedRegistration,
} from "@/lib/chat/devices/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord, toEntry } from "@/lib/store/key.ts";
import { listValues } from "@/lib/store/reads.ts";
import { BATCH, compareIndex, type Complain, indexBelow } from "@/lib/chat/check_index.ts";

/**
 * Compares device counts with the devices, and the queue with the registrations that are due at the bouncer.
 */
export async function checkDevices(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const counts = new Map<string, number>();
  const waiting: { id: number; requestId: string }[] = [];
  let reachable = 0;
  const prefix = [...deviceKeys.all(realmId)];
  for await (const entry of kv.list({ prefix }, { batchSize: BATCH })) {
    const { key, value: device } = toEntry<DeviceRecord>(entry);
    const owner = String(key[prefix.length]);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
    if (isReachable(device)) reachable++;
    const { id, pending, error_code } = device;
    if (pending !== null && error_code === null) waiting.push({ id, requestId: pending.request_id });
  }
  const found = await indexBelow(kv, deviceKeys.counts(realmId));
  compareIndex(complain, "counts of devices", { wanted: [...counts], found });
  const counted = await readRecord<number>(kv, pushJobKeys.reachableDevices(realmId)) ?? 0;
  if (counted !== reachable) {
    complain(`the count of reachable devices is ${counted}; there are ${reachable}.`);
  }
  if (waiting.length === 0) return;
  const entries = await listValues<QueuedRegistration>(kv, deviceKeys.registrations);
  const queued = new Set(entries.map(({ request_id }) => request_id));
  for (const { id } of waiting.filter(({ requestId }) => !queued.has(requestId))) {
    complain(`the registration of device ${id} is not queued.`);
  }
}
