import { textResponse } from "@/lib/api/response.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { requireMetricsReader } from "@/lib/server/health.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the server's metrics",
    description:
      "In the Prometheus text format. Requires the token, or a loopback address if no token is configured.",
    success: { status: 200, description: "Counters, gauges and histograms" },
    refusals: ["UNAUTHORIZED", "RATE_LIMIT_HIT"],
    takesBearerKey: true,
  }, async ({ app, request, clientAddress }) => {
    await requireMetricsReader(app, request, clientAddress());
    return textResponse(await app.metrics.text(), app.metrics.contentType);
  }),
});
