import { listUserGroups } from "@/lib/chat/user_groups/list.ts";
import { listGroupsParams } from "@/lib/chat/user_groups/params.ts";
import { userGroupsSchema } from "@/lib/chat/user_groups/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List user groups",
    who: "member",
    params: listGroupsParams,
    success: userGroupsSchema,
  }, async ({ app, realm, params }) => {
    const includeDeactivated = params.include_deactivated_groups;
    return { user_groups: await listUserGroups(app, realm, { includeDeactivated }) };
  }),
});
