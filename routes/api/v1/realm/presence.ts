import { listPresences } from "@/lib/chat/people/presence/list_presences.ts";
import { presencesSchema } from "@/lib/chat/people/presence/report_presence.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the presence of all users",
    description: "Returns active users who were connected in the last 14 days.",
    access: "anyone",
    success: presencesSchema,
  }, async ({ app, caller }) => {
    const { presences, server_timestamp } = await listPresences(app, caller, { isSlim: false });
    return { presences, server_timestamp };
  }),
});
