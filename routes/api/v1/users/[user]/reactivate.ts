import { reactivateUser } from "@/lib/chat/people/users/update_user.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Reactivate a user",
    description: "The user's bots stay deactivated.",
    access: "anyone",
    params: {},
    ids: ["user"],
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => reactivateUser(app, caller, ids.user)),
});
