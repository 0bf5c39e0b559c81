import { typingParams } from "@/lib/chat/typing/params.ts";
import { tellOfTyping } from "@/lib/chat/typing/tell_of_typing.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Tell that you are writing",
    who: "anyone",
    params: typingParams,
  }, ({ app, realm, user, params }) => tellOfTyping(app, { realm, user }, params)),
});
