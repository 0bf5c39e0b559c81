import { editSubgroups } from "@/lib/chat/user_groups/edit_members.ts";
import { editSubgroupsParams, readSubgroupsParams } from "@/lib/chat/user_groups/params.ts";
import { listSubgroups } from "@/lib/chat/user_groups/read_members.ts";
import { subgroupsSchema } from "@/lib/chat/user_groups/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the groups in a user group",
    who: "member",
    params: readSubgroupsParams,
    ids: ["user_group_id"],
    success: subgroupsSchema,
  }, async ({ app, realm, params, ids }) => {
    const question = { groupId: ids.user_group_id, isDirectOnly: params.direct_subgroup_only };
    return { subgroups: await listSubgroups(app, realm, question) };
  }),
  POST: apiEndpoint({
    summary: "Update the groups in a user group",
    who: "member",
    params: editSubgroupsParams,
    ids: ["user_group_id"],
  }, async ({ app, realm, user, params, ids }) => {
    await editSubgroups(app, { realm, actingUser: user }, { groupId: ids.user_group_id, edits: params });
  }),
});
