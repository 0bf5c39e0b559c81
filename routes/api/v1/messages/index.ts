import { clientName } from "@/lib/chat/messages/client_name.ts";
import { fetchMessages } from "@/lib/chat/messages/fetch_many.ts";
import { fetchMessagesParams } from "@/lib/chat/messages/narrow_params.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import { resolveTarget } from "@/lib/chat/messages/resolve_target.ts";
import { fetchedManySchema, sentSchema } from "@/lib/chat/messages/schema.ts";
import { requireContent, sendMessage } from "@/lib/chat/messages/send.ts";
import { sendMessageParams } from "@/lib/chat/messages/send_params.ts";
import { readEmoticons } from "@/lib/chat/user_settings/emoticons.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get messages",
    description: "Spectators send a narrow that holds `channels:web-public`.",
    who: "anyone_or_spectator",
    params: fetchMessagesParams,
    success: fetchedManySchema,
  }, ({ app, realm, user, params }) => fetchMessages(app, { realm, viewer: user }, params)),
  POST: apiEndpoint({
    summary: "Send a message",
    who: "anyone",
    params: sendMessageParams,
    success: sentSchema,
  }, async ({ app, realm, user, params, ctx }) => {
    const target = await resolveTarget(app, realm, params);
    const by = { realm, author: user, ...await readEmoticons(app, realm.id, user) };
    const prepared = await prepareContent(app, by, requireContent(params.content));
    const client = clientName(ctx.req.headers.get("user-agent"));
    return { id: await sendMessage(app, { realm, sender: user, target, prepared, client }) };
  }),
});
