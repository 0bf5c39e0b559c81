import { changeFlags } from "@/lib/chat/messages/change_flags.ts";
import { changeFlagsParams, readFlagChange } from "@/lib/chat/messages/message_flags.ts";
import { changedFlagsSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Change a flag of messages",
    who: "anyone",
    params: changeFlagsParams,
    success: changedFlagsSchema,
  }, async ({ app, realm, user, params }) => {
    const change = readFlagChange(params);
    await changeFlags(app, { realm, user }, { ids: params.messages, change });
    return { messages: params.messages };
  }),
});
