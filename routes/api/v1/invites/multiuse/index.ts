import { createLink } from "@/lib/chat/invites/create_link.ts";
import { createLinkParams } from "@/lib/chat/invites/params.ts";
import { createdLinkSchema } from "@/lib/chat/invites/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Make a reusable link to join",
    who: "human_member",
    params: createLinkParams,
    success: createdLinkSchema,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, realm, user, params }) => ({
    invite_link: await createLink(app, { realm, actingUser: user }, params),
  })),
});
