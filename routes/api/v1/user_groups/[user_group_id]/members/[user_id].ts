import { readMembersParams } from "@/lib/chat/user_groups/params.ts";
import { isGroupMember } from "@/lib/chat/user_groups/read_members.ts";
import { groupMembershipSchema } from "@/lib/chat/user_groups/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Tell whether a user is in a user group",
    who: "member",
    params: readMembersParams,
    ids: ["user_group_id", "user_id"],
    success: groupMembershipSchema,
  }, async ({ app, realm, params, ids }) => {
    const question = {
      groupId: ids.user_group_id,
      userId: ids.user_id,
      isDirectOnly: params.direct_member_only,
    };
    return { is_user_group_member: await isGroupMember(app, realm, question) };
  }),
});
