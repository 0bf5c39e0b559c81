import { listDevices } from "../devices/list_devices.ts";
import { devicesSchema } from "../devices/schema.ts";
import { part } from "./part.ts";

/** The caller's devices. */
export const devices = part("device", devicesSchema, async ({ app, realm, user }) => ({
  devices: await listDevices(app, { realm, user }),
}));
