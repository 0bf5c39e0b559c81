import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { Owner } from "@/lib/chat/organization/collection.ts";
import {
  choice,
  described,
  int,
  optional,
  type ParamValues,
  scalar,
  text,
} from "@/lib/chat/organization/params/param.ts";
import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import { transact } from "@/lib/store/transact.ts";
import {
  deviceLock,
  type DeviceRecord,
  devices,
  isPushConfigured,
  openPushKey,
  type PendingRegistration,
  PUSH_KEY_PURPOSE,
  type QueuedRegistration,
  registrationKey,
  updateDevice,
} from "./devices.ts";

/** Largest id of a push key: an unsigned 32-bit integer. */
const MAX_KEY_ID = 2 ** 32 - 1;
/** Maximum length of a token id, the same as at the bouncer. */
const MAX_TOKEN_ID = 100;
/** Maximum length of a public key. Base64 of 32 bytes has 44 characters. */
const MAX_PUBLIC_KEY = 200;
/** Maximum length of a sealed registration: twice that of a token of 4,096 characters in Base64. */
const MAX_REGISTRATION = 12_000;

const deviceId = described(int(), "Device id from `POST /register_client_device`.");
const keyId = z.int().refine((id) => id >= 0 && id <= MAX_KEY_ID, {
  error: "Not a valid unsigned 32-bit integer",
}).meta({ minimum: 0, maximum: MAX_KEY_ID });

/** Parameters of `POST /remove_client_device`. */
export const deleteDeviceParams = { device_id: deviceId };

/** Parameters of `POST /mobile_push/register`. */
export const registerForPushParams = {
  device_id: deviceId,
  push_key_id: optional(described(scalar(keyId), "Id of the key, chosen by the device.")),
  push_key: optional(described(text({ max: 200 }), "Base64 of the byte 0x31 followed by a 32-byte key.")),
  token_kind: optional(described(choice(["apns", "fcm"]), "Provider of the token.")),
  token_id: optional(
    described(text({ max: MAX_TOKEN_ID, min: 1 }), "Base64 of the first 8 bytes of the token's SHA-256."),
  ),
  bouncer_public_key: optional(
    described(
      text({ max: MAX_PUBLIC_KEY }),
      "Base64 of the bouncer's public key that the registration is sealed for.",
    ),
  ),
  encrypted_push_registration: optional(
    described(
      text({ max: MAX_REGISTRATION }),
      "Base64 of the sealed JSON with `token`, `token_kind`, `timestamp` and, for `apns`, `ios_app_id`.",
    ),
  ),
};

const deviceSchema = z.object({
  push_key_id: z.int().nullable().meta({
    description: "Id of the key that encrypts the device's notifications.",
  }),
  push_token_id: z.string().nullable().meta({
    description: "Id of the token that notifications are sent to.",
  }),
  pending_push_token_id: z.string().nullable().meta({
    description: "Id of the token that is being registered, or whose registration failed.",
  }),
  push_token_last_updated_timestamp: z.int().nullable().meta({
    description: "Time at which the device last sent a token, in seconds since 1970 UTC.",
  }),
  push_registration_error_code: z.enum(["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"])
    .nullable().meta({ description: "Reason for which the last registration failed." }),
}).meta({ id: "Device" });

/** A user's devices by id, as initial state. */
export const devicesSchema = z.object({
  devices: z.record(z.string(), deviceSchema).meta({ description: "Devices by id." }),
});

/** Response of `POST /register_client_device`. */
export const createdDeviceSchema = z.object({ device_id: z.int() });

export const pushTokenParams = { token: described(text(), "The token of the device.") };

/** Parameters of a push token of an older app that names itself. */
export const appPushTokenParams = {
  ...pushTokenParams,
  appid: described(optional(text()), "Id of the app."),
};

type RegisterForPushParams = ParamValues<typeof registerForPushParams>;

interface PushKeyFields {
  readonly push_key_id: number;
  readonly push_key: string;
}

/** A token that only the bouncer can decrypt. */
type PushTokenFields = Omit<PendingRegistration, "request_id" | "queued_at">;

/** Groups of parameters that are complete; null for a group that is not. */
interface FieldGroups {
  readonly key: PushKeyFields | null;
  readonly token: PushTokenFields | null;
}

/** @throws AppError PUSH_SERVICE_NOT_CONFIGURED or BAD_REQUEST. */
export async function registerForPush(
  app: ChatApp,
  owner: Owner,
  params: RegisterForPushParams,
): Promise<void> {
  if (!isPushConfigured(app)) {
    throw new AppError(
      "PUSH_SERVICE_NOT_CONFIGURED",
      "Server is not configured to use push notification service.",
    );
  }
  await transact(app.store, async (tx) => {
    const before = await devices.get(tx, owner, params.device_id);
    const after = await applyFieldGroups(app, before, readFieldGroups(params));
    if (after === before) return;
    const now = app.clock.now();
    if (after.pending !== null && after.pending !== before.pending) {
      const row = { due: now, realmId: owner.realm.id, userId: owner.actingUser.id, id: before.id };
      const entry: QueuedRegistration = { request_id: after.pending.request_id, attempts: 0 };
      tx.set(registrationKey(row), entry);
    }
    await updateDevice(tx, { owner, now }, { before, after });
  }, deviceLock(owner));
}

function readFieldGroups({ push_key_id, push_key, ...params }: RegisterForPushParams): FieldGroups {
  const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = params;
  const key = push_key_id === undefined || push_key === undefined ? null : { push_key_id, push_key };
  const hasToken = token_kind !== undefined && token_id !== undefined && bouncer_public_key !== undefined &&
    encrypted_push_registration !== undefined;
  const token = hasToken ? { token_kind, token_id, bouncer_public_key, encrypted_push_registration } : null;
  if (key === null && token === null) {
    throw new AppError(
      "BAD_REQUEST",
      "Missing parameters: must provide either all push key fields, all token fields, or both.",
    );
  }
  return { key, token };
}

/** Returns the device with the new key and token; the same object if nothing changes. */
async function applyFieldGroups(
  app: ChatApp,
  device: DeviceRecord,
  { key, token }: FieldGroups,
): Promise<DeviceRecord> {
  const isNew = device.push_key === null;
  if (token === null) {
    if (isNew) throw new AppError("BAD_REQUEST", "No push registration exists to rotate key for.");
    return await applyKey(app, device, key);
  }
  if (device.pending !== null && device.error_code === null) {
    throw new AppError("BAD_REQUEST", "A registration for the device already in progress.");
  }
  if (readBase64(token.token_id) === null) {
    throw new AppError("BAD_REQUEST", "`token_id` is not Base64 encoded");
  }
  if (isNew && key === null) {
    throw new AppError("BAD_REQUEST", "No push registration exists to rotate token for.");
  }
  const keyed = await applyKey(app, device, key);
  const isActive = device.error_code === null && device.push_token_id === token.token_id;
  if (keyed === device && isActive) return device;
  const now = app.clock.now();
  const pending = { ...token, request_id: crypto.randomUUID(), queued_at: now };
  return { ...keyed, pending, token_updated_at: now, error_code: null };
}

async function applyKey(
  app: ChatApp,
  device: DeviceRecord,
  key: PushKeyFields | null,
): Promise<DeviceRecord> {
  if (key === null) return device;
  const { push_key_id, push_key } = key;
  const bytes = readBase64(push_key);
  if (bytes === null || !isPushKey(bytes)) throw new AppError("BAD_REQUEST", "Invalid `push_key`");
  const current = await openPushKey(app, device);
  if (device.push_key_id === push_key_id && current?.toBase64() === push_key) return device;
  const sealed = await createSealer(app.secretKey, PUSH_KEY_PURPOSE).seal(push_key);
  return { ...device, push_key_id, push_key: sealed };
}
