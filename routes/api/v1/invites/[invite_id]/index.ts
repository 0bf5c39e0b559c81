import { revokeInvite } from "@/lib/chat/invites/revoke.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Revoke an invitation",
    who: "human_member",
    ids: ["invite_id"],
    params: {},
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, realm, user, ids }) => revokeInvite(app, { realm, actingUser: user }, ids.invite_id)),
});
