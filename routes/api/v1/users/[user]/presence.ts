import { getPresence } from "@/lib/chat/presence/get_presence.ts";
import { singlePresenceSchema } from "@/lib/chat/presence/api.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user's presence",
    access: "anyone",
    params: {},
    success: singlePresenceSchema,
  }, ({ app, caller, ctx }) => getPresence(app, caller, ctx.params["user"] ?? "")),
});
