import { listPresences } from "@/lib/chat/presence/list_presences.ts";
import { changedPresencesSchema, reportPresenceParams } from "@/lib/chat/presence/api.ts";
import { reportPresence } from "@/lib/chat/presence/report_presence.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Report your presence",
    description: "Clients call this every minute. The response contains the presence of other users.",
    access: "human",
    params: reportPresenceParams,
    success: changedPresencesSchema.partial(),
  }, async ({ app, realm, user, params }) => {
    await reportPresence(app, { realm, user }, params.status);
    if (params.ping_only) return {};
    const { last_update_id: after, history_limit_days: days } = params;
    const isSlim = params.slim_presence || after !== undefined;
    return await listPresences(app, { realm, user }, { isSlim, after, days });
  }),
});
