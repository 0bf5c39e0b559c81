import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendDeviceRemoveEvent } from "./events.ts";
import { deviceKeys, deviceLock, type DeviceOwner, isReachable } from "./model.ts";
import { addToReachableCount, getDevice } from "./store.ts";

/**
 * Deletes a device with its key and token. A late answer of the bouncer about it is ignored.
 * @throws AppError BAD_REQUEST if the owner has no such device.
 */
export async function deleteDevice(
  app: ChatApp,
  owner: DeviceOwner,
  id: number,
): Promise<void> {
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    const device = await getDevice(tx, owner, id);
    tx.delete(deviceKeys.device(realm.id, user.id, id));
    const countKey = deviceKeys.count(realm.id, user.id);
    const left = (await tx.get<number>(countKey) ?? 1) - 1;
    if (left > 0) tx.set(countKey, left);
    else tx.delete(countKey);
    if (isReachable(device)) await addToReachableCount(tx, realm.id, -1);
    sendDeviceRemoveEvent(tx, { realmId: realm.id, userId: user.id, id, now: app.clock.now() });
  }, deviceLock(realm.id));
}
