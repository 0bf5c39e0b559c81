import { reactivateUser } from "@/lib/chat/people/users/update_user.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Reactivate a user",
    description: "The user's bots stay deactivated.",
    access: "anyone",
    ids: ["user"],
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ids }) => reactivateUser(app, caller, ids.user)),
});
