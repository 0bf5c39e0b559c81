import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { createInvitesParams, invitesSchema, listInvites } from "@/lib/chat/joining/invites/events.ts";
import { createInvites } from "@/lib/chat/joining/invites/create_invites.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List invitations",
    access: "human_member",
    success: invitesSchema,
    holdsSecrets: true,
  }, async ({ app, caller }) => ({ invites: await listInvites(app, caller) })),
  POST: apiEndpoint({
    summary: "Send invitations by email",
    access: "human_member",
    params: createInvitesParams,
    refusals: ["INVITATION_FAILED", "UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, params }) => createInvites(app, caller, params)),
});
