import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import { renderParams } from "@/lib/chat/messages/render_params.ts";
import { renderedSchema } from "@/lib/chat/messages/schema.ts";
import { readEmoticons } from "@/lib/chat/user_settings/emoticons.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Render a message",
    description: "Gives a text as a message of the caller's would show it; nothing is sent.",
    who: "anyone",
    params: renderParams,
    success: renderedSchema,
  }, async ({ app, realm, user, params }) => {
    const by = { realm, author: user, ...await readEmoticons(app, realm.id, user) };
    const { html } = await prepareContent(app, by, params.content);
    return { rendered: html };
  }),
});
