import { getPresence } from "@/lib/chat/people/presence/list_presences.ts";
import { singlePresenceSchema } from "@/lib/chat/people/presence/report_presence.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user's presence",
    access: "anyone",
    success: singlePresenceSchema,
  }, ({ app, caller, ctx }) => getPresence(app, caller, ctx.params["user"] ?? "")),
});
