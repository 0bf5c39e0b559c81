import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  listGroupsParams,
  listUserGroupTexts,
  userGroupsSchema,
} from "@/lib/chat/organization/user_groups/api.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List user groups",
    access: "member",
    params: listGroupsParams,
    success: userGroupsSchema,
  }, async ({ app, caller, params }) => {
    const includeDeactivated = params.include_deactivated_groups;
    return {
      user_groups: await listUserGroupTexts(app, caller, { includeDeactivated }),
    };
  }),
});
