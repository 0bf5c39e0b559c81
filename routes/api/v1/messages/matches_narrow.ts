import { matchNarrow } from "@/lib/chat/messages/match_narrow.ts";
import { matchNarrowParams } from "@/lib/chat/messages/narrow_params.ts";
import { matchedSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Check which messages a narrow gives",
    who: "anyone",
    params: matchNarrowParams,
    success: matchedSchema,
  }, async ({ app, realm, user, params }) => ({
    messages: await matchNarrow(app, { realm, user }, params),
  })),
});
