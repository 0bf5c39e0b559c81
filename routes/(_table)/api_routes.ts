import type { ApiRoute } from "@/lib/http/openapi.ts";

/** Every path with endpoints and what handles it: what `/openapi.json` describes. Loaded when it is first asked for. */
export async function apiRoutes(): Promise<ApiRoute[]> {
  return await Promise.all([
    route("/", import("../(site)/index.tsx")),
    route("/{short}", import("../[short]/index.ts")),
    route("/{short}/stats", import("../[short]/stats.ts")),
    route("/stats", import("../stats/index.ts")),
    route("/stats/badges/version", import("../stats/badges/version.ts")),
    route("/stats/badges/urls", import("../stats/badges/urls.ts")),
    route("/stats/badges/visits", import("../stats/badges/visits.ts")),
    route("/health", import("../health.ts")),
    route("/ready", import("../ready.ts")),
    route("/metrics", import("../metrics.ts")),
    route("/openapi.json", import("../openapi.json.ts")),
  ]);
}

async function route(path: string, module: Promise<{ handler: ApiRoute["handler"] }>): Promise<ApiRoute> {
  return { path, handler: (await module).handler };
}
