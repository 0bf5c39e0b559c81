import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { updateGroupParams } from "@/lib/chat/user_groups/api.ts";
import { updateGroup } from "@/lib/chat/user_groups/update_group.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a user group",
    description: "Changes a group's name, description and permissions, or reactivates it.",
    access: "member",
    params: updateGroupParams,
    ids: ["user_group_id"],
    refusals: ["EXPECTATION_MISMATCH"],
  }, async ({ app, realm, user, params, ids }) => {
    const { name, description, deactivated, ...permissions } = params;
    await updateGroup(app, { realm, actingUser: user }, {
      groupId: ids.user_group_id,
      changes: { name, description, deactivated, permissions },
    });
  }),
});
