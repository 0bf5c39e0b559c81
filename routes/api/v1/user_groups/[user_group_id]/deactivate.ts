import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { deactivateGroup } from "@/lib/chat/organization/user_groups/change_group.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Deactivate a user group",
    description: "Fails while the group is named by a permission or is a subgroup of another group.",
    access: "anyone",
    ids: ["user_group_id"],
    refusals: ["CANNOT_DEACTIVATE_GROUP_IN_USE"],
  }, ({ app, caller, ids }) => deactivateGroup(app, caller, ids.user_group_id)),
});
