import { endpoint } from "@/lib/api/endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { instanceStatsSchema } from "@/lib/links/params.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the number of short URLs and visits",
    success: { status: 200, description: "Exact totals", schema: instanceStatsSchema },
    isOpenToOrigins: true,
  }, ({ app }) => readInstanceCounts(app.store.kv)),
});
