import { MAX_PUSH_REQUESTS } from "@/lib/bouncer/notify.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { deviceKeys } from "../devices/device.ts";
import { forgetToken } from "../devices/forget_token.ts";
import { listReachable, type ReachableDevice } from "../devices/reachable_devices.ts";
import { isPushConfigured } from "../devices/remote_bouncer.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import type { PushDelivery } from "./courier.ts";
import { commonPayload } from "./payload.ts";
import { toRequest } from "./send_due.ts";

/** Whose devices a test is for; `deviceId` undefined is for all of them, the 50 newest at most. */
export interface Testing {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly deviceId: number | undefined;
}

/**
 * Tells devices at once that they can be told; settles when at least one provider took it.
 * @throws AppError PUSH_SERVICE_NOT_CONFIGURED, NO_ACTIVE_PUSH_DEVICE, BAD_REQUEST, or UNAVAILABLE when nobody takes it.
 */
export async function sendTestNotification(
  app: ChatApp,
  courier: PushDelivery,
  testing: Testing,
): Promise<void> {
  const { realm, user } = testing;
  if (!isPushConfigured(app)) throw notConfigured();
  const devices = await findDevices(app, testing);
  const payload = JSON.stringify(commonPayload(app, { realm, user, type: "test", at: app.clock.now() }));
  const requests = await Promise.all(devices.map((device) => toRequest(device, payload)));
  const answer = await courier.take(realm, requests).catch((cause) => {
    throw new AppError("UNAVAILABLE", "The push service cannot be reached. Please try again later.", {
      cause,
    });
  });
  const { delivered, gone, failed } = answer;
  for (const { id, push_token_id } of devices.filter((device) => gone.includes(device.push_token_id))) {
    await forgetToken(app, { realmId: realm.id, userId: user.id, id }, push_token_id);
  }
  if (delivered.length > 0) return;
  if (gone.length === devices.length) throw noDevice();
  if (failed.length > 0) throw notConfigured();
  throw new AppError("UNAVAILABLE", "The push service did not take it. Please try again later.");
}

async function findDevices(app: ChatApp, { realm, user, deviceId }: Testing): Promise<ReachableDevice[]> {
  if (deviceId !== undefined) {
    const device = await app.reads.read(deviceKeys.device(realm.id, user.id, deviceId));
    if (device === null) throw new AppError("BAD_REQUEST", "Invalid `device_id`");
  }
  const all = await listReachable(app, realm.id, user.id);
  const wanted = deviceId === undefined ? all : all.filter(({ id }) => id === deviceId);
  if (wanted.length === 0) throw noDevice();
  // A device that was registered twice has one token; the newest one can surely decrypt.
  const byToken = new Map(wanted.map((device) => [device.push_token_id, device]));
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
