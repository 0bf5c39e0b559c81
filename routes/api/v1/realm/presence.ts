import { listPresences } from "@/lib/chat/presence/list_presences.ts";
import { presencesSchema } from "@/lib/chat/presence/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get who was there lately",
    description: "Active people who were there in the last 14 days.",
    who: "anyone",
    params: {},
    success: presencesSchema,
  }, async ({ app, realm, user }) => {
    const { presences, server_timestamp } = await listPresences(app, { realm, user }, { isSlim: false });
    return { presences, server_timestamp };
  }),
});
