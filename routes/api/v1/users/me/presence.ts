import {
  changedPresencesSchema,
  exchangePresence,
  reportPresenceParams,
} from "@/lib/chat/people/presence/report_presence.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Report your presence",
    isActivity: false,
    description: "Clients call this every minute. The response contains the presence of other users.",
    access: "human",
    params: reportPresenceParams,
    success: changedPresencesSchema.partial(),
  }, ({ app, caller, params }) => exchangePresence(app, caller, params)),
});
