import { textAnswer } from "@/lib/api/answer.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { requireMetricsReader } from "@/lib/server/health.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Read the server's measurements",
    description:
      "In the Prometheus text format; for holders of the token, or from this machine where none is set.",
    success: { status: 200, description: "Counters, gauges and histograms" },
    refusals: ["UNAUTHORIZED"],
    takesBearerKey: true,
  }, async ({ app, request, clientAddress }) => {
    await requireMetricsReader(app, request, clientAddress());
    return textAnswer(await app.metrics.text(), app.metrics.contentType);
  }),
});
