import { listPresences } from "@/lib/chat/presence/list_presences.ts";
import { reportParams } from "@/lib/chat/presence/params.ts";
import { reportPresence } from "@/lib/chat/presence/report_presence.ts";
import { changedPresencesSchema } from "@/lib/chat/presence/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Report that you are there",
    description: "To be sent every minute; the answer tells who else is there.",
    who: "human",
    params: reportParams,
    success: changedPresencesSchema.partial(),
  }, async ({ app, realm, user, params }) => {
    await reportPresence(app, { realm, user }, params.status);
    if (params.ping_only) return {};
    const { last_update_id: after, history_limit_days: days } = params;
    const isSlim = params.slim_presence || after !== undefined;
    return await listPresences(app, { realm, user }, { isSlim, after, days });
  }),
});
