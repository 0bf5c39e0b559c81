import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createdExportSchema,
  createExportParams,
  exportsSchema,
  parseExportType,
} from "@/lib/chat/register/exports/events.ts";
import { createExport, listExports } from "@/lib/chat/register/exports/manage_exports.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List data exports",
    description: "The newest 100, oldest first.",
    access: "admin",
    success: exportsSchema,
    holdsSecrets: true,
  }, ({ app, realm }) => listExports(app, realm)),
  POST: apiEndpoint({
    summary: "Request a data export",
    description: "The archive is created in the background. At most five exports in seven days.",
    access: "admin",
    params: createExportParams,
    success: createdExportSchema,
  }, async ({ app, caller, params }) => {
    return await createExport(app, caller, parseExportType(params.export_type));
  }),
});
