import { redirectTo } from "@/lib/http/answer.ts";
import { prefersPage } from "@/lib/http/accept.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { accessLink, countVisit } from "@/lib/links/actions.ts";
import { longUrlSchema, resolveQuerySchema, shortPathSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Resolve a short URL",
    description: "Answers the long URL and counts one visit. A browser is sent on to web addresses.",
    path: shortPathSchema,
    query: resolveQuerySchema,
    success: { status: 200, description: "The long URL", schema: longUrlSchema },
    also: { 302: "The way on, for a browser" },
    refusals: ["BAD_REQUEST", "NOT_FOUND", "GONE", "RATE_LIMIT_HIT", "UNAVAILABLE"],
    rateLimit: "resolve",
    isOpenToOrigins: true,
  }, async ({ app, path, query, request, isGet }) => {
    const link = await accessLink(app.links, path.short);
    const isPeek = query.visit === "false";
    if (isGet && !isPeek) await countVisit(app.links, link);
    const isBrowser = !isPeek && prefersPage(request.headers.get("accept"));
    return isBrowser && link.location !== null ? redirectTo(link.location) : { url: link.url };
  }),
});
