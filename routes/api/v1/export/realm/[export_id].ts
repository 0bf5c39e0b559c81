import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { deleteExport } from "@/lib/chat/register/exports/manage_exports.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Delete the archive of a data export",
    access: "admin",
    params: {},
    ids: ["export_id"],
  }, ({ app, caller, ids }) => deleteExport(app, caller, ids.export_id)),
});
