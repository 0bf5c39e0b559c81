import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys, deviceLock, type DeviceRecord, type DeviceRef } from "./model.ts";
import { updateDevice } from "./update_device.ts";

/**
 * Removes a token that the bouncer or the provider no longer knows, so that nothing is sent to the device
 * until it registers a new one. Does nothing if the device is deleted or has another token by now.
 */
export async function removePushToken(
  app: ChatApp,
  { realmId, userId, id }: DeviceRef & { readonly realmId: number },
  tokenId: string,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const before = await tx.get<DeviceRecord>(deviceKeys.device(realmId, userId, id));
    if (before?.push_token_id !== tokenId) return;
    const after = { ...before, push_token_id: null, token_kind: null };
    await updateDevice(tx, { realmId, userId, id, now: app.clock.now() }, { before, after });
  }, deviceLock(realmId));
}
