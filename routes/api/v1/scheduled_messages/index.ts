import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { toClientName } from "@/lib/chat/messages/api.ts";
import {
  createdScheduledMessageSchema,
  createScheduledMessageParams,
  listScheduledMessages,
  scheduledMessagesSchema,
} from "@/lib/chat/messages/scheduled_messages/api.ts";
import { createScheduledMessage } from "@/lib/chat/messages/scheduled_messages/change.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your scheduled messages",
    access: "anyone",
    success: scheduledMessagesSchema,
  }, ({ app, caller }) => listScheduledMessages(app, caller)),
  POST: apiEndpoint({
    summary: "Schedule a message",
    access: "anyone",
    params: createScheduledMessageParams,
    success: createdScheduledMessageSchema,
    refusals: ["REQUEST_VARIABLE_MISSING", "STREAM_DOES_NOT_EXIST"],
  }, async ({ app, caller, params, ctx }) => {
    const client = toClientName(ctx.req.headers.get("user-agent"));
    const id = await createScheduledMessage(app, caller, { ...params, client });
    return { scheduled_message_id: id };
  }),
});
