import { renderContent } from "@/lib/chat/messages/prepare_content.ts";
import { renderedContentSchema, renderParams } from "@/lib/chat/messages/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Render a message",
    description: "Returns the HTML of a text as a message of the caller; nothing is sent.",
    access: "anyone",
    params: renderParams,
    success: renderedContentSchema,
  }, async ({ app, realm, user, params }) => {
    return { rendered: await renderContent(app, { realm, author: user }, params.content) };
  }),
});
