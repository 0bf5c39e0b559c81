import { LinkTargetPage } from "@/components/LinkTargetPage.tsx";
import { redirectTo } from "@/lib/api/response.ts";
import { prefersPage } from "@/lib/api/accept.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { readOpenLink, visitLink } from "@/lib/links/actions.ts";
import { isPrefetch, isRobot } from "@/lib/api/robots.ts";
import { longUrlSchema, resolveQuerySchema, shortPathSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Resolve a short URL",
    description:
      "Returns the long URL and counts one visit. Browsers are redirected to web addresses and see a page " +
      "with any other address, and so do robots that show previews. Robots and prefetching browsers are not counted.",
    path: shortPathSchema,
    query: resolveQuerySchema,
    success: { status: 200, description: "The long URL", schema: longUrlSchema },
    also: { 302: "Redirect to the long URL, for browsers and robots" },
    refusals: ["BAD_REQUEST", "NOT_FOUND", "GONE", "RATE_LIMIT_HIT", "UNAVAILABLE"],
    rateLimit: "resolve",
    isOpenToOrigins: true,
  }, async ({ app, path, query, request, isGet, render }) => {
    const isPeek = query.visit === "false";
    const isPreview = isRobot(request.headers.get("user-agent"));
    const isVisit = isGet && !isPeek && !isPreview && !isPrefetch(request);
    const link = await (isVisit ? visitLink : readOpenLink)(app.links, path.short);
    if (isPeek || !isPreview && !prefersPage(request.headers.get("accept"))) return { url: link.url };
    return link.location !== null
      ? redirectTo(link.location)
      : await render(<LinkTargetPage url={link.url} />);
  }),
});
