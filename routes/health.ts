import { endpoint } from "@/lib/api/endpoint.ts";
import { healthSchema, requireReadable } from "@/lib/server/health.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Check the server's health",
    description: "Performs a read of the store.",
    success: { status: 200, description: "The server works", schema: healthSchema },
    refusals: ["UNAVAILABLE"],
    isOpenToOrigins: true,
  }, async ({ app }) => {
    await requireReadable(app);
    return { status: "ok" };
  }),
});
