import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { instanceStatsSchema } from "@/lib/links/params.ts";
import { readInstanceCounts } from "@/lib/links/store.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Count this server's short URLs and their visits",
    success: { status: 200, description: "Both totals, exact at this moment", schema: instanceStatsSchema },
    isOpenToOrigins: true,
  }, ({ app }) => readInstanceCounts(app.store.kv)),
});
