import { deleteMessage } from "@/lib/chat/messages/delete_messages.ts";
import { editMessage } from "@/lib/chat/messages/edit_message.ts";
import { editedMessageSchema, editMessageParams, toEditResponse } from "@/lib/chat/messages/edit_rules.ts";
import {
  fetchedMessageSchema,
  fetchMessage,
  fetchMessageParams,
} from "@/lib/chat/messages/read/fetch_messages.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a message",
    isActivity: true,
    access: "anyone_or_spectator",
    ids: ["message_id"],
    params: fetchMessageParams,
    success: fetchedMessageSchema,
  }, async ({ app, realm, user, ids, params }) => {
    return await fetchMessage(app, { realm, viewer: user, id: ids.message_id }, params);
  }),
  PATCH: apiEndpoint({
    summary: "Edit or move a message",
    access: "anyone",
    ids: ["message_id"],
    params: editMessageParams,
    success: editedMessageSchema,
    refusals: ["EXPECTATION_MISMATCH", "REQUEST_CONFUSING_VAR", "STREAM_WILDCARD_MENTION_NOT_ALLOWED"],
  }, async ({ app, caller, ids, params }) => {
    return toEditResponse(await editMessage(app, caller, { id: ids.message_id, ...params }));
  }),
  DELETE: apiEndpoint({
    summary: "Delete a message",
    access: "anyone",
    ids: ["message_id"],
  }, ({ app, caller, ids }) => deleteMessage(app, caller, ids.message_id)),
});
