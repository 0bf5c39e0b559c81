import { addSubmessage, addSubmessageParams } from "@/lib/chat/messages/submessages/add_submessage.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Change a poll or to-do list",
    description:
      "A message that begins with `/poll` or `/todo` is a widget. Everyone who can read it can vote " +
      "and add to it; only its sender can change the question or title.",
    access: "anyone",
    params: addSubmessageParams,
  }, async ({ app, caller, params }) => {
    const change = { messageId: params.message_id, content: params.content };
    await addSubmessage(app, caller, change);
  }),
});
