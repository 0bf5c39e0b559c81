import { prepareContent } from "@/lib/chat/messages/render/prepare_content.ts";
import { renderedContentSchema, renderParams } from "@/lib/chat/messages/render/api.ts";
import { readEmoticonOption } from "@/lib/chat/user_settings/store.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Render a message",
    description: "Returns the HTML of a text as a message of the caller; nothing is sent.",
    access: "anyone",
    params: renderParams,
    success: renderedContentSchema,
  }, async ({ app, realm, user, params }) => {
    const authorship = { realm, author: user, ...await readEmoticonOption(app, realm.id, user) };
    const { html } = await prepareContent(app, authorship, params.content);
    return { rendered: html };
  }),
});
