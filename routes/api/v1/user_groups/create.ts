import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { createdGroupSchema, createGroupParams } from "@/lib/chat/organization/user_groups/api.ts";
import { createGroup } from "@/lib/chat/organization/user_groups/change_group.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a user group",
    access: "member",
    params: createGroupParams,
    success: createdGroupSchema,
  }, async ({ app, caller, params }) => {
    const { name, description, members, subgroups, ...permissions } = params;
    const group = { name, description, members, subgroups, permissions };
    const { id } = await createGroup(app, caller, group);
    return { group_id: id };
  }),
});
