import { addDevice } from "@/lib/chat/devices/add_device.ts";
import { addedDeviceSchema } from "@/lib/chat/devices/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register this device",
    description: "Gives the id that the device uses from then on; an account has 100 devices at most.",
    who: "human",
    params: {},
    success: addedDeviceSchema,
    refusals: ["BAD_REQUEST"],
  }, async ({ app, realm, user }) => ({ device_id: await addDevice(app, { realm, user }) })),
});
