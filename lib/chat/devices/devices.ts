import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../organization/app.ts";
import { Collection, type DueRow, type Owner, ownerOf } from "../organization/collection.ts";
import { pushJobKeys } from "../messages/push_jobs.ts";
import { pickBy } from "es-toolkit/object/pickBy";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";

/** Reason for which a bouncer refused a registration. */
export type PushErrorCode = "INVALID_BOUNCER_PUBLIC_KEY" | "BAD_REQUEST" | "REQUEST_EXPIRED";

/** A registration that a device sealed for a bouncer, and that the bouncer has not responded to yet. */
export interface PendingRegistration {
  /** Unique id, so that the response to an older registration is not applied to this one. */
  readonly request_id: string;
  readonly token_kind: "apns" | "fcm";
  readonly token_id: string;
  readonly bouncer_public_key: string;
  readonly encrypted_push_registration: string;
  /** Milliseconds since 1970 UTC. The registration is given up a day later. */
  readonly queued_at: number;
}

/** An installation of a client app on one device of a user. */
export interface DeviceRecord {
  readonly id: number;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Key id chosen by the device, below 2^32; null until it has sent a key. */
  readonly push_key_id: number | null;
  /** The 33-byte key that encrypts notifications, sealed with the server's key. */
  readonly push_key: Uint8Array<ArrayBuffer> | null;
  /** Id of the token that is registered at the bouncer; null until the bouncer has accepted one. */
  readonly push_token_id: string | null;
  readonly token_kind: "apns" | "fcm" | null;
  /** Time at which the device last sent a token, in milliseconds since 1970 UTC; null until then. */
  readonly token_updated_at: number | null;
  readonly pending: PendingRegistration | null;
  /** Reason for which the last registration failed. `pending` is kept then, to identify that registration. */
  readonly error_code: PushErrorCode | null;
}

/** A queued request to register a device at the bouncer. */
export interface QueuedRegistration {
  /** Id of the pending registration. The device may have a newer one by now. */
  readonly request_id: string;
  readonly attempts: number;
}

export const devices = new Collection<DeviceRecord>({
  name: "device",
  plural: "devices",
  max: 100,
  full: (max) => `You can have ${max} devices at most. Remove one first.`,
  missing: "Invalid `device_id`",
  missingDetails: {},
});

/** Prefix of the queued registrations, ordered by due time in milliseconds since 1970 UTC. */
export const REGISTRATIONS: Key = ["push_register"];

export function registrationKey({ due, realmId, userId, id }: DueRow): Key {
  return [...REGISTRATIONS, due, realmId, userId, id];
}

/** Returns the name of the in-process lock for changes of an organization's devices, which share a count. */
export function deviceLock({ realm }: Pick<Owner, "realm">): string {
  return `devices ${realm.id}`;
}

/** Purpose for which push keys are sealed (lib/core/seal.ts). */
export const PUSH_KEY_PURPOSE = "push keys";

/** Returns whether a device has a key and a token, so that notifications can be sent to it. */
export function isReachable({ push_key, push_key_id, push_token_id }: DeviceRecord): boolean {
  return push_key !== null && push_key_id !== null && push_token_id !== null;
}

export interface DeviceView {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  readonly pending_push_token_id: string | null;
  /** Seconds since 1970 UTC. */
  readonly push_token_last_updated_timestamp: number | null;
  readonly push_registration_error_code: PushErrorCode | null;
}

/** Converts a device for its owner. Keys and tokens appear as ids only. */
export function toDeviceView(device: DeviceRecord): DeviceView {
  const { token_updated_at } = device;
  return {
    push_key_id: device.push_key_id,
    push_token_id: device.push_token_id,
    pending_push_token_id: device.pending?.token_id ?? null,
    push_token_last_updated_timestamp: token_updated_at === null ? null : Math.floor(token_updated_at / 1000),
    push_registration_error_code: device.error_code,
  };
}

/** Connection data of the server that delivers notifications for this one. */
export interface RemoteBouncer {
  /** Base URL of its API, without a final slash. */
  readonly api: string;
  /** Basic credentials that identify this server. */
  readonly authorization: string;
}

/** Returns the configured remote bouncer; null without one, even if this server is a bouncer itself. */
export function findRemoteBouncer({ config }: Pick<ChatApp, "config">): RemoteBouncer | null {
  const { pushBouncerUrl, pushOrgId, pushOrgKey } = config;
  if (pushBouncerUrl === null || pushOrgId === null || pushOrgKey === null) return null;
  const credentials = new TextEncoder().encode(`${pushOrgId}:${pushOrgKey}`).toBase64();
  return { api: `${pushBouncerUrl}/api/v1`, authorization: `Basic ${credentials}` };
}

/** Returns whether this server can send notifications, through a remote bouncer or as one itself. */
export function isPushConfigured(app: Pick<ChatApp, "config">): boolean {
  return findRemoteBouncer(app) !== null || app.config.pushBouncerKeys.length > 0;
}

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
