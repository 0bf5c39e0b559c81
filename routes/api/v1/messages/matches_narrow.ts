import { findMatches } from "@/lib/chat/messages/narrow/read_narrow.ts";
import { matchesNarrowParams, narrowMatchesSchema } from "@/lib/chat/messages/narrow/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Check which messages match a narrow",
    access: "anyone",
    params: matchesNarrowParams,
    success: narrowMatchesSchema,
    refusals: ["BAD_NARROW"],
  }, async ({ app, caller, params }) => ({
    messages: await findMatches(app, caller, params),
  })),
});
