import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { createdInviteLinkSchema, createInviteLinkParams } from "@/lib/chat/joining/invites/events.ts";
import { createInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a reusable invitation link",
    access: "human_member",
    params: createInviteLinkParams,
    success: createdInviteLinkSchema,
    holdsSecrets: true,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, caller, params }) => ({
    invite_link: await createInviteLink(app, caller, params),
  })),
});
