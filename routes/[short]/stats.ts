import { streamedJson } from "@/lib/api/response.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { readOpenLink, writeLinkStats } from "@/lib/links/actions.ts";
import { shortPathSchema, urlStatsSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint(
    {
      summary: "Read a short URL's visits",
      description: "Does not count as a visit. The response is streamed from the store, whatever its length.",
      path: shortPathSchema,
      success: {
        status: 200,
        description: "The long URL and the time of each visit, oldest first",
        schema: urlStatsSchema,
      },
      refusals: ["NOT_FOUND", "GONE", "RATE_LIMIT_HIT"],
      rateLimit: "link_stats",
      isOpenToOrigins: true,
    },
    async ({ app, path }) =>
      streamedJson(writeLinkStats(app.links, await readOpenLink(app.links, path.short))),
  ),
});
