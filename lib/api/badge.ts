import { badgeSchema, type toBadge } from "@/lib/links/params.ts";
import type { Services } from "@/lib/services/services.ts";
import { cachedJson } from "./response.ts";
import { endpoint } from "./endpoint.ts";
import { methods } from "./methods.ts";

/** Creates the handler of a path that returns a badge. */
export function badge(summary: string, read: (app: Services) => Promise<ReturnType<typeof toBadge>>) {
  return methods({
    GET: endpoint({
      summary,
      success: { status: 200, description: "The badge", schema: badgeSchema },
      isDefaultResponse: true,
      isOpenToOrigins: true,
    }, async ({ app, request }) => {
      const body = await read(app);
      return await cachedJson(body, body.cacheSeconds, request.headers.get("if-none-match"));
    }),
  });
}
