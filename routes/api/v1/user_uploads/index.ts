import { uploadedSchema } from "@/lib/chat/organization/files/model.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { uploadFile } from "@/lib/api/files/upload_body.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Upload a file",
      description: "A multipart body with one file. The name of its field is ignored.",
      access: "anyone",
      isStreamed: true,
      success: uploadedSchema,
      refusals: ["REALM_UPLOAD_QUOTA", "NOT_FOUND"],
    },
    async ({ app, caller, ctx, ignore }) => await uploadFile(app, caller, { source: ctx, ignore }),
  ),
});
