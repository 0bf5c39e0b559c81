import { deactivateGroup } from "@/lib/chat/user_groups/deactivate.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Deactivate a user group",
    description: "Refused while a permission names the group or another group holds it.",
    who: "anyone",
    params: {},
    ids: ["user_group_id"],
    refusals: ["CANNOT_DEACTIVATE_GROUP_IN_USE"],
  }, async ({ app, realm, user, ids }) => {
    await deactivateGroup(app, { realm, actingUser: user }, ids.user_group_id);
  }),
});
