import type { Key } from "@/lib/kv/key.ts";
import { pushJobKeys } from "../messages/push_job.ts";

/** Why a bouncer took no registration. */
export type PushErrorCode = "INVALID_BOUNCER_PUBLIC_KEY" | "BAD_REQUEST" | "REQUEST_EXPIRED";

/** What a device sealed for a bouncer, which has not answered yet. */
export interface PendingRegistration {
  /** Names this registration: an answer to another one says nothing about it. */
  readonly request_id: string;
  readonly token_kind: "apns" | "fcm";
  readonly token_id: string;
  readonly bouncer_public_key: string;
  readonly encrypted_push_registration: string;
  /** Milliseconds since 1970 UTC; after a day it is given up. */
  readonly queued_at: number;
}

/** A program of one account on one device. */
export interface DeviceRecord {
  readonly id: number;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Chosen by the device, below 2^32; null until it sent a key. */
  readonly push_key_id: number | null;
  /** The 33 bytes with which notifications are encrypted, sealed by the server's key. */
  readonly push_key: Uint8Array<ArrayBuffer> | null;
  /** The token under which the bouncer knows the device; null until it answered. */
  readonly push_token_id: string | null;
  /** The provider of that token. */
  readonly token_kind: "apns" | "fcm" | null;
  /** When the device last sent a token, in milliseconds since 1970 UTC; null until it sent one. */
  readonly token_updated_at: number | null;
  readonly pending: PendingRegistration | null;
  /** Why the last registration failed; with `pending` still there, so that the device sees which one it was. */
  readonly error_code: PushErrorCode | null;
}

/** Where devices lie in the store. */
export const deviceKeys = {
  all: (realmId: number): Key => [realmId, "device"],
  /** The devices of an account, by id. */
  devices: (realmId: number, userId: number): Key => [realmId, "device", userId],
  device: (realmId: number, userId: number, id: number): Key => [realmId, "device", userId, id],
  counts: (realmId: number): Key => [realmId, "device_count"],
  /** How many devices an account has; missing for none. */
  count: (realmId: number, userId: number): Key => [realmId, "device_count", userId],
  /** How many devices of an organization have a token and a key: 0, or missing, saves every look for them. */
  reachable: pushJobKeys.reachable,
  /** Registrations that the bouncer is to be told of, by when that is due in milliseconds since 1970 UTC. */
  registrations: ["push_register"],
  registration: (due: number, realmId: number, { userId, id }: DevicePlace): Key => [
    "push_register",
    due,
    realmId,
    userId,
    id,
  ],
} as const;

/** Devices of one account at most. */
export const MAX_DEVICES = 100;

/** Whether notifications can be sent to a device, as far as it is concerned. */
export function isReachable({ push_key, push_key_id, push_token_id }: DeviceRecord): boolean {
  return push_key !== null && push_key_id !== null && push_token_id !== null;
}

/** Whose device it is. */
export interface DevicePlace {
  readonly userId: number;
  readonly id: number;
}

/** The purpose for which push keys are sealed (lib/core/seal.ts). */
export const PUSH_KEY_PURPOSE = "push keys";
