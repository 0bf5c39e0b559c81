import { pushTokenParams } from "@/lib/chat/devices/register_for_push.ts";
import { refuseToken, refuseTokenRemoval } from "@/lib/chat/devices/devices.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a push token of an older Android app",
    description: "Always refused: notifications are encrypted, see `POST /mobile_push/register`.",
    access: "human",
    params: pushTokenParams,
    refusals: ["PUSH_SERVICE_NOT_CONFIGURED"],
  }, ({ params }) => refuseToken(params.token)),
  DELETE: apiEndpoint({
    summary: "Remove a push token of an older Android app",
    description: "Always refused, because no such token is stored.",
    access: "human",
    params: pushTokenParams,
  }, () => refuseTokenRemoval()),
});
