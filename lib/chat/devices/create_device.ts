import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendDeviceAddEvent } from "./events.ts";
import { deviceKeys, deviceLock, type DeviceOwner, type DeviceRecord, MAX_DEVICES } from "./model.ts";

/**
 * Creates a device without a key or token and returns its id.
 * @throws AppError BAD_REQUEST beyond the maximum number of devices.
 */
export function createDevice(app: ChatApp, { realm, user }: DeviceOwner): Promise<number> {
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
    sendDeviceAddEvent(tx, { realmId: realm.id, userId: user.id, id, now });
    return id;
  }, deviceLock(realm.id));
}
