import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../organization/app.ts";
import { Collection, type DueRow, type Owner } from "../organization/collection.ts";

/** Reason for which a bouncer refused a registration. */
export type PushErrorCode = "INVALID_BOUNCER_PUBLIC_KEY" | "BAD_REQUEST" | "REQUEST_EXPIRED";

/** A registration that a device sealed for a bouncer, and that the bouncer has not answered yet. */
export interface PendingRegistration {
  /** Unique id, so that the answer to an older registration is not applied to this one. */
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
