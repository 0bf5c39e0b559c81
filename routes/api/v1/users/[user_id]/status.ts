import { getStatus } from "@/lib/chat/user_status/get_status.ts";
import { statusParams } from "@/lib/chat/user_status/params.ts";
import { statusSchema } from "@/lib/chat/user_status/schema.ts";
import { setUserStatus } from "@/lib/chat/user_status/set_status.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint(
    {
      summary: "Get somebody's status",
      description: "Parts that say nothing are left out.",
      who: "anyone",
      ids: ["user_id"],
      params: {},
      success: statusSchema,
    },
    async ({ app, realm, user, ids }) => ({
      status: await getStatus(app, { realm, actingUser: user }, ids.user_id),
    }),
  ),
  POST: apiEndpoint(
    {
      summary: "Set somebody's status",
      description: "For administrators. Only what is sent changes.",
      who: "human_or_admin_bot",
      ids: ["user_id"],
      params: statusParams,
    },
    ({ app, realm, user, ids, params }) =>
      setUserStatus(app, { realm, actingUser: user }, { userId: ids.user_id, sent: params }),
  ),
});
