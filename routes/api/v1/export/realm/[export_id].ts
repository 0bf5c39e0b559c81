import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { deleteExport } from "@/lib/chat/register/exports/manage_exports.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Delete the archive of a data export",
    access: "admin",
    ids: ["export_id"],
  }, ({ app, caller, ids }) => deleteExport(app, caller, ids.export_id)),
});
