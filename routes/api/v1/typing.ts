import { typingParams } from "@/lib/chat/typing/api.ts";
import { setTypingStatus } from "@/lib/chat/typing/set_typing_status.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Set typing status",
    access: "anyone",
    params: typingParams,
    refusals: ["REQUEST_VARIABLE_MISSING"],
  }, ({ app, realm, user, params }) => setTypingStatus(app, { realm, user }, params)),
});
