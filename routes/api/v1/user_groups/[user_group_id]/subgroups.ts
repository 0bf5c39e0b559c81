import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  editSubgroupsParams,
  readSubgroupsParams,
  subgroupsSchema,
} from "@/lib/chat/organization/user_groups/api.ts";
import { editSubgroups } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { listSubgroups } from "@/lib/chat/organization/user_groups/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the subgroups of a user group",
    access: "member",
    params: readSubgroupsParams,
    ids: ["user_group_id"],
    success: subgroupsSchema,
  }, async ({ app, realm, params, ids }) => {
    const query = { groupId: ids.user_group_id, isDirectOnly: params.direct_subgroup_only };
    return { subgroups: await listSubgroups(app, realm, query) };
  }),
  POST: apiEndpoint({
    summary: "Update the subgroups of a user group",
    access: "member",
    params: editSubgroupsParams,
    ids: ["user_group_id"],
  }, async ({ app, caller, params, ids }) => {
    await editSubgroups(app, caller, { groupId: ids.user_group_id, edits: params });
  }),
});
