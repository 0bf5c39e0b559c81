import { textAnswer } from "@/lib/http/answer.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { requireMetricsReader } from "@/lib/http/health.ts";
import { methods } from "@/lib/http/methods.ts";

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
