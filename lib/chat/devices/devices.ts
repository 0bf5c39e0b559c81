import { pushJobKeys } from "../messages/push_jobs.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  type DeviceChange,
  deviceKeys,
  deviceLock,
  type DeviceOwner,
  type DeviceRecord,
  type DeviceRef,
  type DeviceView,
  isReachable,
  MAX_DEVICES,
  PUSH_KEY_PURPOSE,
  toDeviceView,
} from "./model.ts";

/** A device to which notifications can be sent. */
export interface ReachableDevice {
  readonly id: number;
  readonly push_key_id: number;
  /** The 33-byte key that encrypts its notifications. */
  readonly push_key: Uint8Array<ArrayBuffer>;
  readonly push_token_id: string;
  readonly token_kind: "apns" | "fcm";
}

/** @throws AppError BAD_REQUEST if the owner has no device with this id. */
export async function getDevice(
  tx: Tx,
  { realm, user }: DeviceOwner,
  id: number,
): Promise<DeviceRecord> {
  const device = await tx.get<DeviceRecord>(deviceKeys.device(realm.id, user.id, id));
  if (device === null) throw new AppError("BAD_REQUEST", "Invalid `device_id`");
  return device;
}

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
  const count = await app.reads.read<number>(pushJobKeys.reachableDevices(realmId));
  if (!count) return [];
  const user = await app.reads.read<UserRecord>(userKeys.user(realmId, userId));
  if (!user?.is_active) return [];
  const devices: ReachableDevice[] = [];
  for await (const entry of app.store.kv.list({ prefix: [...deviceKeys.devices(realmId, userId)] })) {
    const device = toEntry<DeviceRecord>(entry).value;
    const { id, push_key_id, push_token_id, token_kind } = device;
    if (push_key_id === null || push_token_id === null || token_kind === null) continue;
    const push_key = await openPushKey(app, device);
    if (push_key !== null) devices.push({ id, push_key_id, push_key, push_token_id, token_kind });
  }
  return devices;
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
async function addToReachableCount(tx: Tx, realmId: number, change: number): Promise<void> {
  if (change === 0) return;
  const key = pushJobKeys.reachableDevices(realmId);
  const count = (await tx.get<number>(key) ?? 0) + change;
  if (count > 0) tx.set(key, count);
  else tx.delete(key);
}

/** Writes a changed device, updates the count of reachable devices and sends the owner an event. */
export async function updateDevice(
  tx: Tx,
  { realmId, userId, id, now }: DeviceChange,
  { before, after }: { before: DeviceRecord; after: DeviceRecord },
): Promise<void> {
  tx.set(deviceKeys.device(realmId, userId, id), after);
  await addToReachableCount(tx, realmId, Number(isReachable(after)) - Number(isReachable(before)));
  const previous = toDeviceView(before);
  // A new key may have the id of the old one.
  const isKeyNew = before.push_key !== after.push_key;
  const fields = pickBy(
    toDeviceView(after),
    (value, name) => value !== previous[name] || name === "push_key_id" && isKeyNew,
  );
  if (Object.keys(fields).length === 0) return;
  const event = { type: "device", op: "update", device_id: id, ...fields };
  sendEvent(tx, { realmId, now }, { event, audience: [userId] });
}

/** @throws AppError BAD_REQUEST beyond the maximum number of devices. */
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
    const event = { type: "device", op: "add", device_id: id };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience: [user.id] });
    return id;
  }, deviceLock(realm.id));
}

/** @throws AppError BAD_REQUEST if the owner has no such device. */
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
    const event = { type: "device", op: "remove", device_id: id };
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, { event, audience: [user.id] });
  }, deviceLock(realm.id));
}

/** Removes a token that is unknown by now; does nothing if the device is gone or has another one. */
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

/** Maximum length of a push token, in characters. */
const MAX_TOKEN = 4096;

/** @throws AppError BAD_REQUEST for an invalid token, otherwise PUSH_SERVICE_NOT_CONFIGURED. */
export function refuseToken(token: string): Promise<never> {
  if (token === "" || token.length > MAX_TOKEN) {
    return Promise.reject(new AppError("BAD_REQUEST", "Empty or invalid length token"));
  }
  const message = "This server sends encrypted push notifications only. Update your app.";
  return Promise.reject(new AppError("PUSH_SERVICE_NOT_CONFIGURED", message));
}

/** @throws AppError BAD_REQUEST. */
export function refuseTokenRemoval(): Promise<never> {
  return Promise.reject(new AppError("BAD_REQUEST", "Token does not exist"));
}
