import { pushJobKeys } from "../messages/push_jobs.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type DueRow, type Owner, ownerOf } from "@/lib/chat/organization/collection.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import {
  deviceLock,
  type DeviceRecord,
  devices,
  type DeviceView,
  isReachable,
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

export async function listDevices(app: ChatApp, owner: Owner): Promise<Record<string, DeviceView>> {
  const all = await devices.list(app, owner);
  return Object.fromEntries(all.map((device) => [device.id, toDeviceView(device)]));
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
  const reachable: ReachableDevice[] = [];
  for (const device of await devices.list(app, ownerOf(realmId, userId))) {
    const { id, push_key_id, push_token_id, token_kind } = device;
    if (push_key_id === null || push_token_id === null || token_kind === null) continue;
    const push_key = await openPushKey(app, device);
    if (push_key !== null) reachable.push({ id, push_key_id, push_key, push_token_id, token_kind });
  }
  return reachable;
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

/** Owner of a device, and the time of its change in milliseconds since 1970 UTC. */
interface DeviceChange {
  readonly owner: Owner;
  readonly now: number;
}

/** Writes a changed device, updates the count of reachable devices and sends the owner an event. */
export async function updateDevice(
  tx: Tx,
  { owner, now }: DeviceChange,
  { before, after }: { before: DeviceRecord; after: DeviceRecord },
): Promise<void> {
  devices.replace(tx, owner, { before, after });
  await addToReachableCount(tx, owner.realm.id, Number(isReachable(after)) - Number(isReachable(before)));
  const previous = toDeviceView(before);
  // A new key may have the id of the old one.
  const isKeyNew = before.push_key !== after.push_key;
  const fields = pickBy(
    toDeviceView(after),
    (value, name) => value !== previous[name] || name === "push_key_id" && isKeyNew,
  );
  if (Object.keys(fields).length === 0) return;
  sendDeviceEvent(tx, { owner, now }, { op: "update", device_id: after.id, ...fields });
}

function sendDeviceEvent(
  tx: Tx,
  { owner: { realm, actingUser }, now }: DeviceChange,
  change: { readonly op: string; readonly device_id: number },
): void {
  const event = { type: "device", ...change };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [actingUser.id] });
}

/** @throws AppError BAD_REQUEST beyond the maximum number of devices. */
export function createDevice(app: ChatApp, owner: Owner): Promise<number> {
  return transact(app.store, async (tx) => {
    const now = app.clock.now();
    const id = await tx.nextId("device");
    await devices.add(tx, owner, {
      id,
      created_at: now,
      push_key_id: null,
      push_key: null,
      push_token_id: null,
      token_kind: null,
      token_updated_at: null,
      pending: null,
      error_code: null,
    });
    sendDeviceEvent(tx, { owner, now }, { op: "add", device_id: id });
    return id;
  }, deviceLock(owner));
}

/** @throws AppError BAD_REQUEST if the owner has no such device. */
export async function deleteDevice(app: ChatApp, owner: Owner, id: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const device = await devices.get(tx, owner, id);
    await devices.delete(tx, owner, device);
    if (isReachable(device)) await addToReachableCount(tx, owner.realm.id, -1);
    sendDeviceEvent(tx, { owner, now: app.clock.now() }, { op: "remove", device_id: id });
  }, deviceLock(owner));
}

/** Removes a token that is unknown by now; does nothing if the device is gone or has another one. */
export async function removePushToken(
  app: ChatApp,
  { realmId, userId, id }: Omit<DueRow, "due">,
  tokenId: string,
): Promise<void> {
  const owner = ownerOf(realmId, userId);
  await transact(app.store, async (tx) => {
    const before = await tx.get<DeviceRecord>(devices.key(owner, id));
    if (before?.push_token_id !== tokenId) return;
    const after = { ...before, push_token_id: null, token_kind: null };
    await updateDevice(tx, { owner, now: app.clock.now() }, { before, after });
  }, deviceLock(owner));
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
