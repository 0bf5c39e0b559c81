import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { sendEvent } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import { deviceKeys, type DevicePlace, type DeviceRecord, isReachable } from "./device.ts";
import { type DeviceView, toDeviceView } from "./view.ts";

/** Whose devices, and in which organization. */
export interface DeviceOwner {
  readonly realm: Pick<RealmRecord, "id">;
  readonly user: Pick<UserRecord, "id">;
}

/** Where a change happens, and when in milliseconds since 1970 UTC. */
export interface DeviceChange extends DevicePlace {
  readonly realmId: number;
  readonly now: number;
}

/** Changes of an organization's devices stand in this line: they share a count. */
export function deviceQueue(realmId: number): string {
  return `devices ${realmId}`;
}

/**
 * An account's own device.
 * @throws AppError BAD_REQUEST where it has none of that id.
 */
export async function getDevice(
  tx: Tx,
  { realm, user }: DeviceOwner,
  id: number,
): Promise<DeviceRecord> {
  const device = await tx.get<DeviceRecord>(deviceKeys.device(realm.id, user.id, id));
  if (device === null) throw new AppError("BAD_REQUEST", "Invalid `device_id`");
  return device;
}

/** Keeps a device as it is now, counts it, and tells its account of what is other than before. */
export async function changeDevice(
  tx: Tx,
  { realmId, userId, id, now }: DeviceChange,
  { before, after }: { before: DeviceRecord; after: DeviceRecord },
): Promise<void> {
  tx.set(deviceKeys.device(realmId, userId, id), after);
  await countReachable(tx, realmId, Number(isReachable(after)) - Number(isReachable(before)));
  const fields = changedFields(before, after);
  if (Object.keys(fields).length === 0) return;
  sendEvent(tx, { realmId, now }, {
    event: { type: "device", op: "update", device_id: id, ...fields },
    audience: [userId],
  });
}

/** Adds to the number of devices of an organization that can be reached. */
export async function countReachable(tx: Tx, realmId: number, change: number): Promise<void> {
  if (change === 0) return;
  const key = deviceKeys.reachable(realmId);
  const count = (await tx.get<number>(key) ?? 0) + change;
  if (count > 0) tx.set(key, count);
  else tx.delete(key);
}

function changedFields(before: DeviceRecord, after: DeviceRecord): Partial<DeviceView> {
  const [old, fresh] = [toDeviceView(before), toDeviceView(after)];
  // Another key may have the same id.
  const isKeyNew = before.push_key !== after.push_key;
  return {
    ...(isKeyNew || old.push_key_id !== fresh.push_key_id ? { push_key_id: fresh.push_key_id } : {}),
    ...(old.push_token_id === fresh.push_token_id ? {} : { push_token_id: fresh.push_token_id }),
    ...(old.pending_push_token_id === fresh.pending_push_token_id
      ? {}
      : { pending_push_token_id: fresh.pending_push_token_id }),
    ...(old.push_token_last_updated_timestamp === fresh.push_token_last_updated_timestamp
      ? {}
      : { push_token_last_updated_timestamp: fresh.push_token_last_updated_timestamp }),
    ...(old.push_registration_error_code === fresh.push_registration_error_code
      ? {}
      : { push_registration_error_code: fresh.push_registration_error_code }),
  };
}
