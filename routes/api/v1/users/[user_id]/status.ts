import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  getStatus,
  setUserStatus,
  statusParams,
  statusResponseSchema,
} from "@/lib/chat/people/user_status.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get a user's status",
      description: "Empty parts are left out.",
      access: "anyone",
      ids: ["user_id"],
      success: statusResponseSchema,
    },
    async ({ app, caller, ids }) => ({
      status: await getStatus(app, caller, ids.user_id),
    }),
  ),
  POST: apiEndpoint(
    {
      summary: "Set a user's status",
      description: "Requires an administrator. Omitted parameters keep their value.",
      access: "human_or_admin_bot",
      ids: ["user_id"],
      params: statusParams,
    },
    ({ app, caller, ids, params }) => setUserStatus(app, caller, { userId: ids.user_id, input: params }),
  ),
});
