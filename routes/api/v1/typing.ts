import { setTypingStatus, typingParams } from "@/lib/chat/messages/typing.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set typing status",
    access: "anyone",
    params: typingParams,
    refusals: ["REQUEST_VARIABLE_MISSING"],
  }, ({ app, caller, params }) => setTypingStatus(app, caller, params)),
});
