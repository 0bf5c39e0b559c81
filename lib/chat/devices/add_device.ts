import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { type DeviceOwner, deviceQueue } from "./change_device.ts";
import { deviceKeys, type DeviceRecord, MAX_DEVICES } from "./device.ts";

/**
 * Notes that an account uses a program on a device, and gives the id that the device has from then on.
 * @throws AppError BAD_REQUEST for one too many.
 */
export function addDevice(app: ChatApp, { realm, user }: DeviceOwner): Promise<number> {
  return transact(app.store, async (tx) => {
    const countKey = deviceKeys.count(realm.id, user.id);
    const count = await tx.get<number>(countKey) ?? 0;
    if (count >= MAX_DEVICES) {
      throw new AppError("BAD_REQUEST", `You can have ${MAX_DEVICES} devices at most. Remove one first.`);
    }
    const now = app.clock.now();
    const id = await tx.nextId("device");
    const record: DeviceRecord = {
      id,
      created_at: now,
      push_key_id: null,
      push_key: null,
      push_token_id: null,
      token_kind: null,
      token_updated_at: null,
      pending: null,
      error_code: null,
    };
    tx.set(deviceKeys.device(realm.id, user.id, id), record);
    tx.set(countKey, count + 1);
    sendEvent(tx, { realmId: realm.id, now }, {
      event: { type: "device", op: "add", device_id: id },
      audience: [user.id],
    });
    return id;
  }, deviceQueue(realm.id));
}
