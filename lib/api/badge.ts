import { z } from "zod";
import type { Services } from "@/lib/services/services.ts";
import { cachedJson } from "./response.ts";
import { endpoint } from "./endpoint.ts";
import { methods } from "./methods.ts";

/** A badge in the format of badge services; clients may cache it for `cacheSeconds`. */
const badgeSchema = z.object({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string(),
  color: z.string().optional(),
  cacheSeconds: z.number().min(300).optional(),
}).meta({ id: "BadgeResponse" });

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Returns a badge with a text or a count; a count has a compact form: 13334 is `13.3K`. */
export function toBadge(label: string, value: string | number) {
  const message = typeof value === "number" ? compact.format(value) : value;
  return { schemaVersion: 1, label, message, color: "informational", cacheSeconds: 300 } as const;
}

/** Creates the handler of a path that returns a badge with a text or a count. */
export function badge(
  summary: string,
  label: string,
  read: (app: Services) => string | Promise<number>,
) {
  return methods({
    GET: endpoint({
      summary,
      success: { status: 200, description: "The badge", schema: badgeSchema },
      isDefaultResponse: true,
      isOpenToOrigins: true,
    }, async ({ app, request }) => {
      const body = toBadge(label, await read(app));
      return await cachedJson(body, body.cacheSeconds, request.headers.get("if-none-match"));
    }),
  });
}
