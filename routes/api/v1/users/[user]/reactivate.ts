import { reactivateUser } from "@/lib/chat/accounts/reactivate_user.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Let a deactivated account be used again",
    description: "Its bots stay deactivated.",
    who: "anyone",
    params: {},
    ids: ["user"],
  }, async ({ app, realm, user, ids }) => {
    await reactivateUser(app, { realm, actingUser: user }, ids.user);
  }),
});
