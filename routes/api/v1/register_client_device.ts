import { createDevice } from "@/lib/chat/devices/devices.ts";
import { createdDeviceSchema } from "@/lib/chat/devices/register_for_push.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register this device",
    isActivity: false,
    description: "Returns the device's id. A user can have at most 100 devices.",
    access: "human",
    success: createdDeviceSchema,
  }, async ({ app, caller }) => ({ device_id: await createDevice(app, caller) })),
});
