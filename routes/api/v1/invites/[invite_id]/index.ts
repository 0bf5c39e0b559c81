import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { revokeInvite } from "@/lib/chat/joining/invites/invite_mails.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Revoke an invitation",
    access: "human_member",
    ids: ["invite_id"],
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => revokeInvite(app, caller, ids.invite_id)),
});
