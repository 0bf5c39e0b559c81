import { fetchedMessagesSchema, fetchMessages } from "@/lib/chat/messages/read/fetch_messages.ts";
import { fetchMessagesParams } from "@/lib/chat/messages/narrow/api.ts";
import { postMessage } from "@/lib/chat/messages/send_message.ts";
import {
  sendMessageParams,
  sentMessageSchema,
  toClientName,
  toSentMessage,
} from "@/lib/chat/messages/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get messages",
    isActivity: true,
    description: "The narrow of a spectator must contain `channels:web-public`.",
    access: "anyone_or_spectator",
    params: fetchMessagesParams,
    success: fetchedMessagesSchema,
    refusals: ["BAD_NARROW", "REQUEST_VARIABLE_MISSING"],
  }, ({ app, realm, user, params }) => fetchMessages(app, { realm, viewer: user }, params)),
  POST: apiEndpoint({
    summary: "Send a message",
    access: "anyone",
    params: sendMessageParams,
    success: sentMessageSchema,
    refusals: [
      "REQUEST_CONFUSING_VAR",
      "STREAM_DOES_NOT_EXIST",
      "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
      "REQUEST_VARIABLE_MISSING",
    ],
  }, async ({ app, realm, user, params, ctx }) => {
    const client = toClientName(ctx.req.headers.get("user-agent"));
    return toSentMessage(await postMessage(app, { realm, sender: user, client }, params));
  }),
});
