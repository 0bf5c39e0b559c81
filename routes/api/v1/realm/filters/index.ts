import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createdLinkifierSchema,
  linkifierParams,
  parseLinkifierFields,
} from "@/lib/chat/messages/linkifiers/api.ts";
import { createLinkifier } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a linkifier",
    description: "Matches of the pattern in new messages and in topics become links.",
    access: "admin",
    params: linkifierParams,
    success: createdLinkifierSchema,
  }, async ({ app, caller, params }) => {
    return { id: await createLinkifier(app, caller, parseLinkifierFields(params)) };
  }),
});
