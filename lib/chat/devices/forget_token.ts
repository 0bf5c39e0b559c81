import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { changeDevice, deviceQueue } from "./change_device.ts";
import { deviceKeys, type DevicePlace, type DeviceRecord } from "./device.ts";

/**
 * Takes a token away that the bouncer or the provider no longer knows: nothing is sent to its device until it registers
 * another one. A device that has another one already, or is gone, stays as it is.
 */
export async function forgetToken(
  app: ChatApp,
  { realmId, userId, id }: DevicePlace & { readonly realmId: number },
  tokenId: string,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const before = await tx.get<DeviceRecord>(deviceKeys.device(realmId, userId, id));
    if (before?.push_token_id !== tokenId) return;
    const after = { ...before, push_token_id: null, token_kind: null };
    await changeDevice(tx, { realmId, userId, id, now: app.clock.now() }, { before, after });
  }, deviceQueue(realmId));
}
