import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { countReachable, type DeviceOwner, deviceQueue, getDevice } from "./change_device.ts";
import { deviceKeys, isReachable } from "./device.ts";

/**
 * Forgets a device with its key and its token; what the bouncer still answers about it says nothing any more.
 * @throws AppError BAD_REQUEST where the account has no such device.
 */
export async function removeDevice(
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
    if (isReachable(device)) await countReachable(tx, realm.id, -1);
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "device", op: "remove", device_id: id },
      audience: [user.id],
    });
  }, deviceQueue(realm.id));
}
