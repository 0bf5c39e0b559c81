import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { revokeInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Revoke a reusable invitation link",
    access: "human_member",
    ids: ["invite_id"],
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => revokeInviteLink(app, caller, ids.invite_id)),
});
