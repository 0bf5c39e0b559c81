import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  editMembersParams,
  groupMembersSchema,
  readMembersParams,
} from "@/lib/chat/organization/user_groups/api.ts";
import { editMembers } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { listGroupMembers } from "@/lib/chat/organization/user_groups/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the members of a user group",
    access: "member",
    params: readMembersParams,
    ids: ["user_group_id"],
    success: groupMembersSchema,
  }, async ({ app, realm, params, ids }) => {
    const query = { groupId: ids.user_group_id, isDirectOnly: params.direct_member_only };
    return { members: (await listGroupMembers(app, realm, query)).map(({ id }) => id) };
  }),
  POST: apiEndpoint({
    summary: "Update the members of a user group",
    description: "Applies the four lists in order, all or none.",
    access: "member",
    params: editMembersParams,
    ids: ["user_group_id"],
  }, async ({ app, caller, params, ids }) => {
    await editMembers(app, caller, { groupId: ids.user_group_id, edits: params });
  }),
});
