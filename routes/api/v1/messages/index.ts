import { fetchedMessagesSchema } from "@/lib/chat/messages/read/api.ts";
import { fetchMessages } from "@/lib/chat/messages/read/fetch_messages.ts";
import { fetchMessagesParams } from "@/lib/chat/messages/narrow/api.ts";
import { prepareContent } from "@/lib/chat/messages/render/prepare_content.ts";
import { resolveTarget } from "@/lib/chat/messages/send/resolve_target.ts";
import { requireMessageContent, sendMessage } from "@/lib/chat/messages/send/send_message.ts";
import { sendMessageParams, sentMessageSchema, toClientName } from "@/lib/chat/messages/send/api.ts";
import { readEmoticonOption } from "@/lib/chat/user_settings/store.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get messages",
    description: "The narrow of a spectator must contain `channels:web-public`.",
    access: "anyone_or_spectator",
    params: fetchMessagesParams,
    success: fetchedMessagesSchema,
  }, ({ app, realm, user, params }) => fetchMessages(app, { realm, viewer: user }, params)),
  POST: apiEndpoint({
    summary: "Send a message",
    access: "anyone",
    params: sendMessageParams,
    success: sentMessageSchema,
  }, async ({ app, realm, user, params, ctx }) => {
    const target = await resolveTarget(app, realm, params);
    const authorship = { realm, author: user, ...await readEmoticonOption(app, realm.id, user) };
    const prepared = await prepareContent(app, authorship, requireMessageContent(params.content));
    const client = toClientName(ctx.req.headers.get("user-agent"));
    return { id: await sendMessage(app, { realm, sender: user, target, prepared, client }) };
  }),
});
