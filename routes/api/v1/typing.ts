import { setTypingStatus, typingParams } from "@/lib/chat/messages/typing.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set typing status",
    access: "anyone",
    params: typingParams,
    refusals: ["REQUEST_VARIABLE_MISSING"],
  }, ({ app, caller, params }) => setTypingStatus(app, caller, params)),
});
