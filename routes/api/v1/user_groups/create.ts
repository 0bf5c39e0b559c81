import { announceMembers } from "@/lib/chat/announcements/groups.ts";
import { createGroup } from "@/lib/chat/user_groups/create.ts";
import { createGroupParams } from "@/lib/chat/user_groups/params.ts";
import { madeGroupSchema } from "@/lib/chat/user_groups/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a user group",
    who: "member",
    params: createGroupParams,
    success: madeGroupSchema,
  }, async ({ app, realm, user, params }) => {
    const { name, description, members, subgroups, ...permissions } = params;
    const wanted = { name, description, members, subgroups, permissions };
    const happening = { realm, actingUser: user };
    const { id } = await createGroup(app, happening, wanted);
    await announceMembers(app, happening, { groupId: id, added: members, removed: [] });
    return { group_id: id };
  }),
});
