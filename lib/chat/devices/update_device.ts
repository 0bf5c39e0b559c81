import type { Tx } from "@/lib/store/transact.ts";
import { sendDeviceUpdateEvent } from "./events.ts";
import { type DeviceChange, deviceKeys, type DeviceRecord, isReachable } from "./model.ts";
import { addToReachableCount } from "./store.ts";

/** Writes a changed device, updates the count of reachable devices and sends the owner an event. */
export async function updateDevice(
  tx: Tx,
  change: DeviceChange,
  { before, after }: { before: DeviceRecord; after: DeviceRecord },
): Promise<void> {
  const { realmId, userId, id } = change;
  tx.set(deviceKeys.device(realmId, userId, id), after);
  await addToReachableCount(tx, realmId, Number(isReachable(after)) - Number(isReachable(before)));
  sendDeviceUpdateEvent(tx, change, { before, after });
}
