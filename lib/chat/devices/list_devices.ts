import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { DeviceOwner } from "./change_device.ts";
import { deviceKeys, type DeviceRecord } from "./device.ts";
import { type DeviceView, toDeviceView } from "./view.ts";

/** An account's devices by their ids. */
export async function listDevices(
  { store }: Pick<ChatApp, "store">,
  { realm, user }: DeviceOwner,
): Promise<Record<string, DeviceView>> {
  const devices: Record<string, DeviceView> = {};
  for await (const entry of store.kv.list({ prefix: [...deviceKeys.devices(realm.id, user.id)] })) {
    const device = toEntry<DeviceRecord>(entry).value;
    devices[String(device.id)] = toDeviceView(device);
  }
  return devices;
}
