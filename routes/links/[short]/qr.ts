import { fileResponse } from "@/lib/api/response.ts";
import { endpoint } from "@/lib/api/endpoint.ts";
import { FOR_MANAGERS, MANAGER_REFUSALS } from "@/lib/api/link_manager.ts";
import { methods } from "@/lib/api/methods.ts";
import { readQrFile } from "@/lib/links/manage/link_responses.ts";
import { qrQuerySchema } from "@/lib/links/manage/link_schemas.ts";
import { shortPathSchema } from "@/lib/links/params.ts";

export const handler = methods({
  GET: endpoint(
    {
      ...FOR_MANAGERS,
      summary: "Download a link's QR code",
      path: shortPathSchema,
      query: qrQuerySchema,
      success: { status: 200, description: "The QR code as SVG or PNG" },
      refusals: [...MANAGER_REFUSALS, "NOT_FOUND"],
    },
    async ({ app, path, query }) => fileResponse(await readQrFile(app.links, path.short, query.format)),
  ),
});
