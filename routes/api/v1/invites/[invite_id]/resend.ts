import { resendInvite } from "@/lib/chat/invites/resend.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mail an invitation again",
    who: "human_member",
    ids: ["invite_id"],
    params: {},
    refusals: ["INVITATION_FAILED", "UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, realm, user, ids }) => resendInvite(app, { realm, actingUser: user }, ids.invite_id)),
});
