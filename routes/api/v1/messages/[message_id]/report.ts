import { reportMessage, reportMessageParams } from "@/lib/chat/messages/reports.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Report a message",
    description:
      "The moderators receive the message, your name and your explanation in their private channel, " +
      "which the organization chooses with `moderation_request_channel_id`.",
    access: "human",
    ids: ["message_id"],
    params: reportMessageParams,
  }, ({ app, caller, ids, params }) => reportMessage(app, caller, { ...params, messageId: ids.message_id })),
});
