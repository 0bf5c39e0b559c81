import { AppError } from "@/lib/core/errors.ts";
import { createSealer } from "@/lib/core/seal.ts";
import { transact } from "@/lib/kv/transact.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import { changeDevice, type DeviceOwner, deviceQueue, getDevice } from "./change_device.ts";
import { type DeviceRecord, type PendingRegistration, PUSH_KEY_PURPOSE } from "./device.ts";
import type { registerForPushParams } from "./params.ts";
import { openPushKey } from "./reachable_devices.ts";
import { enqueueRegistration } from "./registration_queue.ts";
import { isPushConfigured } from "./remote_bouncer.ts";

type Sent = ParamValues<typeof registerForPushParams>;

/** A key, and what names it. */
interface KeyGroup {
  readonly push_key_id: number;
  readonly push_key: string;
}

/** A token as the bouncer alone can read it. */
type TokenGroup = Omit<PendingRegistration, "request_id" | "queued_at">;

/** What is complete of what a device sent. */
interface Groups {
  readonly key: KeyGroup | null;
  readonly token: TokenGroup | null;
}

/**
 * Takes a device's key, its token or both; a token stands in the queue for the bouncer from then on. What the device has
 * already changes nothing. There were never registrations of an older kind here, so none is removed.
 * @throws AppError PUSH_SERVICE_NOT_CONFIGURED or BAD_REQUEST.
 */
export async function registerForPush(app: ChatApp, owner: DeviceOwner, sent: Sent): Promise<void> {
  if (!isPushConfigured(app)) {
    throw new AppError(
      "PUSH_SERVICE_NOT_CONFIGURED",
      "Server is not configured to use push notification service.",
    );
  }
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    const before = await getDevice(tx, owner, sent.device_id);
    const after = await withGroups(app, before, readGroups(sent));
    if (after === before) return;
    const change = { realmId: realm.id, userId: user.id, id: before.id, now: app.clock.now() };
    if (after.pending !== null && after.pending !== before.pending) {
      enqueueRegistration(tx, change, after.pending.request_id);
    }
    await changeDevice(tx, change, { before, after });
  }, deviceQueue(realm.id));
}

function readGroups({ push_key_id, push_key, ...sent }: Sent): Groups {
  const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = sent;
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

/** The device with what it sent; itself where that is nothing new. */
async function withGroups(app: ChatApp, device: DeviceRecord, { key, token }: Groups): Promise<DeviceRecord> {
  const isNew = device.push_key === null;
  if (token === null) {
    if (isNew) throw new AppError("BAD_REQUEST", "No push registration exists to rotate key for.");
    return await withKey(app, device, key);
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
  const keyed = await withKey(app, device, key);
  const isActive = device.error_code === null && device.push_token_id === token.token_id;
  return keyed === device && isActive ? device : withToken(app, keyed, token);
}

async function withKey(app: ChatApp, device: DeviceRecord, key: KeyGroup | null): Promise<DeviceRecord> {
  if (key === null) return device;
  const { push_key_id, push_key } = key;
  const bytes = readBase64(push_key);
  if (bytes === null || !isPushKey(bytes)) throw new AppError("BAD_REQUEST", "Invalid `push_key`");
  const known = await openPushKey(app, device);
  if (device.push_key_id === push_key_id && known?.toBase64() === push_key) return device;
  const sealed = await createSealer(app.secretKey, PUSH_KEY_PURPOSE).seal(push_key);
  return { ...device, push_key_id, push_key: sealed };
}

function withToken({ clock }: ChatApp, device: DeviceRecord, token: TokenGroup): DeviceRecord {
  const now = clock.now();
  const pending = { ...token, request_id: crypto.randomUUID(), queued_at: now };
  return { ...device, pending, token_updated_at: now, error_code: null };
}
