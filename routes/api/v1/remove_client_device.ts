import { removeDeviceParams } from "@/lib/chat/devices/params.ts";
import { removeDevice } from "@/lib/chat/devices/remove_device.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Remove a device of your own",
    description: "It is told of nothing any more.",
    who: "human",
    params: removeDeviceParams,
    refusals: ["BAD_REQUEST"],
  }, async ({ app, realm, user, params }) => {
    await removeDevice(app, { realm, user }, params.device_id);
  }),
});
