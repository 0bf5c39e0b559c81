import project from "@/deno.json" with { type: "json" };
import { cachedJson } from "@/lib/http/answer.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { BADGE_SECONDS, toVersionBadge } from "@/lib/links/badges.ts";
import { badgeSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "A badge that shows this server's version",
    success: { status: 200, description: "The badge", schema: badgeSchema },
    isDefaultAnswer: true,
    isOpenToOrigins: true,
  }, async ({ request }) => {
    const badge = toVersionBadge(project.version);
    return await cachedJson(badge, BADGE_SECONDS, request.headers.get("if-none-match"));
  }),
});
