import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { transact } from "@/lib/store/transact.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import type { registerForPushParams } from "./api.ts";
import {
  deviceLock,
  type DeviceOwner,
  type DeviceRecord,
  isPushConfigured,
  type PendingRegistration,
  PUSH_KEY_PURPOSE,
} from "./model.ts";
import { enqueueRegistration } from "./registration_queue.ts";
import { getDevice, openPushKey } from "./store.ts";
import { updateDevice } from "./update_device.ts";

type RegisterForPushParams = ParamValues<typeof registerForPushParams>;

/** A push key with its id. */
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

/**
 * Stores a device's key, its token or both, and queues the token for the bouncer. Values that the device
 * already has change nothing. There are no registrations of an older kind to remove.
 * @throws AppError PUSH_SERVICE_NOT_CONFIGURED or BAD_REQUEST.
 */
export async function registerForPush(
  app: ChatApp,
  owner: DeviceOwner,
  params: RegisterForPushParams,
): Promise<void> {
  if (!isPushConfigured(app)) {
    throw new AppError(
      "PUSH_SERVICE_NOT_CONFIGURED",
      "Server is not configured to use push notification service.",
    );
  }
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    const before = await getDevice(tx, owner, params.device_id);
    const after = await applyFieldGroups(app, before, readFieldGroups(params));
    if (after === before) return;
    const change = { realmId: realm.id, userId: user.id, id: before.id, now: app.clock.now() };
    if (after.pending !== null && after.pending !== before.pending) {
      enqueueRegistration(tx, change, after.pending.request_id);
    }
    await updateDevice(tx, change, { before, after });
  }, deviceLock(realm.id));
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
  return keyed === device && isActive ? device : applyToken(app, keyed, token);
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

function applyToken({ clock }: ChatApp, device: DeviceRecord, token: PushTokenFields): DeviceRecord {
  const now = clock.now();
  const pending = { ...token, request_id: crypto.randomUUID(), queued_at: now };
  return { ...device, pending, token_updated_at: now, error_code: null };
}
