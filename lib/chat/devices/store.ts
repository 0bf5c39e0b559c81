import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import { userKeys, type UserRecord } from "../users/model.ts";
import {
  deviceKeys,
  type DeviceOwner,
  type DeviceRecord,
  type DeviceView,
  PUSH_KEY_PURPOSE,
  toDeviceView,
} from "./model.ts";

/** A device to which notifications can be sent. */
export interface ReachableDevice {
  readonly id: number;
  readonly push_key_id: number;
  /** The 33-byte key that encrypts its notifications. */
  readonly push_key: Uint8Array<ArrayBuffer>;
  /** Id of its token at the bouncer. */
  readonly push_token_id: string;
  readonly token_kind: "apns" | "fcm";
}

/**
 * Returns one of the owner's devices.
 * @throws AppError BAD_REQUEST if the owner has no device with this id.
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

/** Returns the owner's devices by id. */
export async function listDevices(
  { store }: Pick<ChatApp, "store">,
  { realm, user }: DeviceOwner,
): Promise<Record<string, DeviceView>> {
  const devices: Record<string, DeviceView> = {};
  for await (const entry of store.kv.list({ prefix: [...deviceKeys.devices(realm.id, user.id)] })) {
    const device = toEntry<DeviceRecord>(entry).value;
    devices[String(device.id)] = toDeviceView(device);
  }
  return devices;
}

/** Returns a user's reachable devices, ordered by id; none if the user is deactivated. */
export async function listReachableDevices(
  app: ChatApp,
  realmId: number,
  userId: number,
): Promise<ReachableDevice[]> {
  const count = await app.reads.read<number>(deviceKeys.reachable(realmId));
  if (!count) return [];
  const user = await app.reads.read<UserRecord>(userKeys.user(realmId, userId));
  if (!user?.is_active) return [];
  const devices: ReachableDevice[] = [];
  for await (const entry of app.store.kv.list({ prefix: [...deviceKeys.devices(realmId, userId)] })) {
    const device = await toReachableDevice(app, toEntry<DeviceRecord>(entry).value);
    if (device !== null) devices.push(device);
  }
  return devices;
}

async function toReachableDevice(app: ChatApp, device: DeviceRecord): Promise<ReachableDevice | null> {
  const { id, push_key_id, push_token_id, token_kind } = device;
  if (push_key_id === null || push_token_id === null || token_kind === null) return null;
  const push_key = await openPushKey(app, device);
  return push_key === null ? null : { id, push_key_id, push_key, push_token_id, token_kind };
}

/** Returns a device's 33-byte push key; null without one, or if it was sealed with another server key. */
export async function openPushKey(
  { secretKey }: Pick<ChatApp, "secretKey">,
  { push_key }: Pick<DeviceRecord, "push_key">,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const sealer = createSealer(secretKey, PUSH_KEY_PURPOSE);
  const bytes = readBase64(push_key === null ? "" : await sealer.open(push_key) ?? "");
  return bytes !== null && isPushKey(bytes) ? bytes : null;
}

/** Adds `change` to the number of an organization's reachable devices. */
export async function addToReachableCount(tx: Tx, realmId: number, change: number): Promise<void> {
  if (change === 0) return;
  const key = deviceKeys.reachable(realmId);
  const count = (await tx.get<number>(key) ?? 0) + change;
  if (count > 0) tx.set(key, count);
  else tx.delete(key);
}
