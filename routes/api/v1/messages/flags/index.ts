import {
  changedFlagsSchema,
  changeFlagsParams,
  parseFlagChange,
  toIgnoredChannels,
} from "@/lib/chat/messages/flags.ts";
import { changeFlags } from "@/lib/chat/messages/change_flags.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Update message flags",
    access: "anyone",
    params: changeFlagsParams,
    success: changedFlagsSchema,
  }, async ({ app, caller, params }) => {
    const change = parseFlagChange(params);
    const { ignoredChannelIds } = await changeFlags(app, caller, { ids: params.messages, change });
    return { messages: params.messages, ...toIgnoredChannels(change, ignoredChannelIds) };
  }),
});
