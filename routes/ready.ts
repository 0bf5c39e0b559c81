import { endpoint } from "@/lib/api/endpoint.ts";
import { requireReady } from "@/lib/server/health.ts";
import { methods } from "@/lib/api/methods.ts";
import { healthSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Tell whether the server should be sent requests",
    description: "The store can be read and written, and the server was not told to stop.",
    success: { status: 200, description: "It should", schema: healthSchema },
    refusals: ["UNAVAILABLE"],
  }, async ({ app }) => {
    await requireReady(app);
    return { status: "ok" };
  }),
});
