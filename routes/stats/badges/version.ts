import project from "@/deno.json" with { type: "json" };
import { cachedJson } from "@/lib/api/answer.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { BADGE_SECONDS, badgeSchema, toVersionBadge } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the badge with the server's version",
    success: { status: 200, description: "The badge", schema: badgeSchema },
    isDefaultAnswer: true,
    isOpenToOrigins: true,
  }, async ({ request }) => {
    const badge = toVersionBadge(project.version);
    return await cachedJson(badge, BADGE_SECONDS, request.headers.get("if-none-match"));
  }),
});
