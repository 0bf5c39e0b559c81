import { endpoint } from "@/lib/http/endpoint.ts";
import { requireReadable } from "@/lib/http/health.ts";
import { methods } from "@/lib/http/methods.ts";
import { healthSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Tell whether the server works",
    description: "Reads from the store.",
    success: { status: 200, description: "It does", schema: healthSchema },
    refusals: ["UNAVAILABLE"],
    isOpenToOrigins: true,
  }, async ({ app }) => {
    await requireReadable(app);
    return { status: "ok" };
  }),
});
