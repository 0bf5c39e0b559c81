import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { updateGroupParams } from "@/lib/chat/organization/user_groups/api.ts";
import { deactivateGroup, updateGroup } from "@/lib/chat/organization/user_groups/change_group.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a user group",
    description: "Changes a group's name, description and permissions, or reactivates it.",
    access: "member",
    params: updateGroupParams,
    ids: ["user_group_id"],
    refusals: ["EXPECTATION_MISMATCH"],
  }, async ({ app, caller, params, ids }) => {
    const { name, description, deactivated, ...permissions } = params;
    await updateGroup(app, caller, {
      groupId: ids.user_group_id,
      changes: { name, description, deactivated, permissions },
    });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a user group",
    description: "For older clients: deactivates the group, as `/deactivate` does, so that messages that " +
      "mention it stay readable. Fails while the group is named by a permission or is a subgroup of another.",
    access: "anyone",
    ids: ["user_group_id"],
    refusals: ["CANNOT_DEACTIVATE_GROUP_IN_USE"],
  }, ({ app, caller, ids }) => deactivateGroup(app, caller, ids.user_group_id)),
});
