import { redirectTo } from "@/lib/api/answer.ts";
import { prefersPage } from "@/lib/api/accept.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { readOpenLink, visitLink } from "@/lib/links/actions.ts";
import { longUrlSchema, resolveQuerySchema, shortPathSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Resolve a short URL",
    description: "Returns the long URL and counts one visit. Browsers are redirected to web addresses.",
    path: shortPathSchema,
    query: resolveQuerySchema,
    success: { status: 200, description: "The long URL", schema: longUrlSchema },
    also: { 302: "Redirect to the long URL, for browsers" },
    refusals: ["BAD_REQUEST", "NOT_FOUND", "GONE", "RATE_LIMIT_HIT", "UNAVAILABLE"],
    rateLimit: "resolve",
    isOpenToOrigins: true,
  }, async ({ app, path, query, request, isGet }) => {
    const isPeek = query.visit === "false";
    const isVisit = isGet && !isPeek;
    const link = await (isVisit ? visitLink : readOpenLink)(app.links, path.short);
    const isBrowser = !isPeek && prefersPage(request.headers.get("accept"));
    return isBrowser && link.location !== null ? redirectTo(link.location) : { url: link.url };
  }),
});
