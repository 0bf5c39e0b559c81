import { endpoint } from "@/lib/api/endpoint.ts";
import { healthSchema, requireReady } from "@/lib/server/health.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Check whether the server is ready for requests",
    description: "The server is ready when the store can be read and written and no shutdown is in progress.",
    success: { status: 200, description: "The server is ready", schema: healthSchema },
    refusals: ["UNAVAILABLE"],
  }, async ({ app }) => {
    await requireReady(app);
    return { status: "ok" };
  }),
});
