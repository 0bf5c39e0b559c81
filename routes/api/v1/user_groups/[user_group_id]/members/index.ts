import { announceMembers } from "@/lib/chat/announcements/groups.ts";
import { editMembers } from "@/lib/chat/user_groups/edit_members.ts";
import { editMembersParams, readMembersParams } from "@/lib/chat/user_groups/params.ts";
import { listGroupMembers } from "@/lib/chat/user_groups/read_members.ts";
import { groupMembersSchema } from "@/lib/chat/user_groups/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the members of a user group",
    who: "member",
    params: readMembersParams,
    ids: ["user_group_id"],
    success: groupMembersSchema,
  }, async ({ app, realm, params, ids }) => {
    const question = { groupId: ids.user_group_id, isDirectOnly: params.direct_member_only };
    return { members: (await listGroupMembers(app, realm, question)).map(({ id }) => id) };
  }),
  POST: apiEndpoint({
    summary: "Update the members of a user group",
    description: "All four lists take effect in their order, or none does.",
    who: "member",
    params: editMembersParams,
    ids: ["user_group_id"],
  }, async ({ app, realm, user, params, ids }) => {
    const happening = { realm, actingUser: user };
    const groupId = ids.user_group_id;
    await editMembers(app, happening, { groupId, edits: params });
    await announceMembers(app, happening, { groupId, added: params.add, removed: params.delete });
  }),
});
