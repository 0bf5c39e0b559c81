import { streamedJson } from "@/lib/http/answer.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { accessLink, writeLinkStats } from "@/lib/links/actions.ts";
import { shortPathSchema, urlStatsSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint(
    {
      summary: "Read a short URL's visits",
      description:
        "Reading is no visit. The answer is sent while it is read from the store, however long it is.",
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
    async ({ app, path }) => streamedJson(writeLinkStats(app.links, await accessLink(app.links, path.short))),
  ),
});
