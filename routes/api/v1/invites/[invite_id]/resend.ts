import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { resendInvite } from "@/lib/chat/joining/invites/invite_mails.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Resend an invitation",
    access: "human_member",
    ids: ["invite_id"],
    refusals: ["INVITATION_FAILED", "UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => resendInvite(app, caller, ids.invite_id)),
});
