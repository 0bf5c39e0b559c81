import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { toClientName } from "@/lib/chat/messages/api.ts";
import { updateScheduledMessageParams } from "@/lib/chat/messages/scheduled_messages/api.ts";
import {
  deleteScheduledMessage,
  updateScheduledMessage,
} from "@/lib/chat/messages/scheduled_messages/change.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Edit a scheduled message",
    access: "anyone",
    ids: ["scheduled_message_id"],
    params: updateScheduledMessageParams,
    refusals: [["BAD_REQUEST", 404], "REQUEST_VARIABLE_MISSING", "STREAM_DOES_NOT_EXIST"],
  }, ({ app, caller, ids, params, ctx }) => {
    const client = toClientName(ctx.req.headers.get("user-agent"));
    return updateScheduledMessage(app, caller, { id: ids.scheduled_message_id, client, ...params });
  }),
  DELETE: apiEndpoint({
    summary: "Delete a scheduled message",
    access: "anyone",
    ids: ["scheduled_message_id"],
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ids }) => deleteScheduledMessage(app, caller, ids.scheduled_message_id)),
});
