import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { groupMembershipSchema, readMembersParams } from "@/lib/chat/organization/user_groups/api.ts";
import { isGroupMember } from "@/lib/chat/organization/user_groups/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user's membership in a user group",
    access: "member",
    params: readMembersParams,
    ids: ["user_group_id", "user_id"],
    success: groupMembershipSchema,
  }, async ({ app, realm, params, ids }) => {
    const query = {
      groupId: ids.user_group_id,
      userId: ids.user_id,
      isDirectOnly: params.direct_member_only,
    };
    return { is_user_group_member: await isGroupMember(app, realm, query) };
  }),
});
