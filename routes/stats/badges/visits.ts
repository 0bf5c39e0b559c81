import { cachedJson } from "@/lib/api/answer.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { BADGE_SECONDS, badgeSchema, toCountBadge } from "@/lib/links/params.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the badge with the number of visits",
    success: { status: 200, description: "The badge", schema: badgeSchema },
    isDefaultAnswer: true,
    isOpenToOrigins: true,
  }, async ({ app, request }) => {
    const badge = toCountBadge("visits", (await readInstanceCounts(app.store.kv)).visits);
    return await cachedJson(badge, BADGE_SECONDS, request.headers.get("if-none-match"));
  }),
});
