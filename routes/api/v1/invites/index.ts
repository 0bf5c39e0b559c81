import { createInvites } from "@/lib/chat/invites/create_invites.ts";
import { listInvites } from "@/lib/chat/invites/list_invites.ts";
import { createInvitesParams } from "@/lib/chat/invites/params.ts";
import { invitesSchema } from "@/lib/chat/invites/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get the invitations that you can manage",
    who: "human_member",
    params: {},
    success: invitesSchema,
  }, async ({ app, realm, user }) => ({ invites: await listInvites(app, { realm, actingUser: user }) })),
  POST: apiEndpoint({
    summary: "Invite people by e-mail",
    who: "human_member",
    params: createInvitesParams,
    refusals: ["INVITATION_FAILED", "UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, realm, user, params }) => createInvites(app, { realm, actingUser: user }, params)),
});
