import { createSealer } from "@/lib/core/seal.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { isPushKey, readBase64 } from "@/lib/push/crypto.ts";
import type { ChatApp } from "../app.ts";
import { userKeys, type UserRecord } from "../users/user.ts";
import { deviceKeys, type DeviceRecord, PUSH_KEY_PURPOSE } from "./device.ts";

/** A device to which notifications can be sent. */
export interface ReachableDevice {
  readonly id: number;
  readonly push_key_id: number;
  /** The 33 bytes with which its notifications are encrypted. */
  readonly push_key: Uint8Array<ArrayBuffer>;
  /** The token under which the bouncer knows it. */
  readonly push_token_id: string;
  readonly token_kind: "apns" | "fcm";
}

/** The devices of an account that notifications can be sent to, by id; none while the account is not active. */
export async function listReachable(
  app: ChatApp,
  realmId: number,
  userId: number,
): Promise<ReachableDevice[]> {
  const count = await app.reads.read<number>(deviceKeys.reachable(realmId));
  if (!count) return [];
  const user = await app.reads.read<UserRecord>(userKeys.user(realmId, userId));
  if (!user?.is_active) return [];
  const devices: ReachableDevice[] = [];
  for await (const entry of app.store.kv.list({ prefix: [...deviceKeys.devices(realmId, userId)] })) {
    const device = await toReachable(app, toEntry<DeviceRecord>(entry).value);
    if (device !== null) devices.push(device);
  }
  return devices;
}

async function toReachable(app: ChatApp, device: DeviceRecord): Promise<ReachableDevice | null> {
  const { id, push_key_id, push_token_id, token_kind } = device;
  if (push_key_id === null || push_token_id === null || token_kind === null) return null;
  const push_key = await openPushKey(app, device);
  return push_key === null ? null : { id, push_key_id, push_key, push_token_id, token_kind };
}

/** A device's push key of 33 bytes; null where it has none, or the server's key is another one by now. */
export async function openPushKey(
  { secretKey }: Pick<ChatApp, "secretKey">,
  { push_key }: Pick<DeviceRecord, "push_key">,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const sealer = createSealer(secretKey, PUSH_KEY_PURPOSE);
  const bytes = readBase64(push_key === null ? "" : await sealer.open(push_key) ?? "");
  return bytes !== null && isPushKey(bytes) ? bytes : null;
}
