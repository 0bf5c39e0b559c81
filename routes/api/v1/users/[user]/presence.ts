import { getPresence } from "@/lib/chat/presence/get_presence.ts";
import { onePresenceSchema } from "@/lib/chat/presence/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get when somebody was there",
    who: "anyone",
    params: {},
    success: onePresenceSchema,
  }, ({ app, realm, user, ctx }) => getPresence(app, { realm, actingUser: user }, ctx.params["user"] ?? "")),
});
