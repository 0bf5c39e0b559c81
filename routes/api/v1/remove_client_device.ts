import { deleteDeviceParams } from "@/lib/chat/devices/register_for_push.ts";
import { deleteDevice } from "@/lib/chat/devices/devices.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Remove one of your devices",
    isActivity: false,
    description: "The device receives no more push notifications.",
    access: "human",
    params: deleteDeviceParams,
  }, ({ app, caller, params }) => deleteDevice(app, caller, params.device_id)),
});
