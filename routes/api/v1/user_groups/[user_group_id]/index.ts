import { updateGroupParams } from "@/lib/chat/user_groups/params.ts";
import { updateGroup } from "@/lib/chat/user_groups/update.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a user group",
    description:
      "Changes a group's name, description and permissions, or takes a deactivated one back into use.",
    who: "member",
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
