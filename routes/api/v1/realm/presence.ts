import { listPresences } from "@/lib/chat/people/presence/list_presences.ts";
import { presencesSchema } from "@/lib/chat/people/presence/report_presence.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the presence of all users",
    description: "Returns active users who were connected in the last 14 days.",
    access: "anyone",
    params: {},
    success: presencesSchema,
  }, async ({ app, caller }) => {
    const { presences, server_timestamp } = await listPresences(app, caller, { isSlim: false });
    return { presences, server_timestamp };
  }),
});
