import { AppError } from "@/lib/core/errors.ts";
import { MAX_PUSH_REQUESTS } from "@/lib/bouncer/notify.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys, isPushConfigured } from "../devices/model.ts";
import { removePushToken } from "../devices/remove_push_token.ts";
import { listReachableDevices, type ReachableDevice } from "../devices/store.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UserRecord } from "../users/model.ts";
import { toCommonPayload } from "./payload.ts";
import type { PushDelivery } from "./push_delivery.ts";
import { encryptPushRequest } from "./send_batch.ts";

/** Target of a test notification: one device, or the user's 50 newest if `deviceId` is undefined. */
export interface TestNotification {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly deviceId: number | undefined;
}

/**
 * Sends a test notification immediately. Resolves once at least one provider has accepted it.
 * @throws AppError PUSH_SERVICE_NOT_CONFIGURED, NO_ACTIVE_PUSH_DEVICE, BAD_REQUEST, or UNAVAILABLE if no
 * provider accepts it.
 */
export async function sendTestNotification(
  app: ChatApp,
  delivery: PushDelivery,
  test: TestNotification,
): Promise<void> {
  const { realm, user } = test;
  if (!isPushConfigured(app)) throw notConfigured();
  const devices = await findTargetDevices(app, test);
  const payload = JSON.stringify(toCommonPayload(app, { realm, user, type: "test", at: app.clock.now() }));
  const requests = await Promise.all(devices.map((device) => encryptPushRequest(device, payload)));
  const answer = await delivery.deliver(realm, requests).catch((cause) => {
    throw new AppError("UNAVAILABLE", "The push service cannot be reached. Please try again later.", {
      cause,
    });
  });
  const { delivered, gone, failed } = answer;
  for (const { id, push_token_id } of devices.filter((device) => gone.includes(device.push_token_id))) {
    await removePushToken(app, { realmId: realm.id, userId: user.id, id }, push_token_id);
  }
  if (delivered.length > 0) return;
  if (gone.length === devices.length) throw noDevice();
  if (failed.length > 0) throw notConfigured();
  throw new AppError("UNAVAILABLE", "The push service rejected the notification. Please try again later.");
}

/**
 * Sends a test notification for an older client to all devices of the user. The client may name the push token of
 * an older app, of which none is stored.
 * @throws AppError INVALID_PUSH_DEVICE_TOKEN for any token; otherwise as `sendTestNotification`.
 */
export async function sendLegacyTestNotification(
  app: ChatApp,
  delivery: PushDelivery,
  { token, ...user }: Omit<TestNotification, "deviceId"> & { readonly token: string | undefined },
): Promise<void> {
  if (token !== undefined) throw new AppError("INVALID_PUSH_DEVICE_TOKEN", "Device not recognized");
  await sendTestNotification(app, delivery, { ...user, deviceId: undefined });
}

async function findTargetDevices(
  app: ChatApp,
  { realm, user, deviceId }: TestNotification,
): Promise<ReachableDevice[]> {
  if (deviceId !== undefined) {
    const device = await app.reads.read(deviceKeys.device(realm.id, user.id, deviceId));
    if (device === null) throw new AppError("BAD_REQUEST", "Invalid `device_id`");
  }
  const all = await listReachableDevices(app, realm.id, user.id);
  const targets = deviceId === undefined ? all : all.filter(({ id }) => id === deviceId);
  if (targets.length === 0) throw noDevice();
  // A device registered twice has one token. The newest registration has the key that the device uses now.
  const byToken = new Map(targets.map((device) => [device.push_token_id, device]));
  return [...byToken.values()].slice(-MAX_PUSH_REQUESTS);
}

function noDevice(): AppError {
  return new AppError("NO_ACTIVE_PUSH_DEVICE", "No active registered push device");
}

function notConfigured(): AppError {
  return new AppError(
    "PUSH_SERVICE_NOT_CONFIGURED",
    "Server is not configured to use push notification service.",
  );
}
