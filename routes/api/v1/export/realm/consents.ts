import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { exportConsentsSchema } from "@/lib/chat/register/exports/events.ts";
import { listExportConsents } from "@/lib/chat/register/exports/manage_exports.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List who allows the export of their private data",
    description: "By the setting `allow_private_data_export` of all users, deactivated ones included.",
    access: "admin",
    success: exportConsentsSchema,
  }, ({ app, realm }) => listExportConsents(app, realm)),
});
