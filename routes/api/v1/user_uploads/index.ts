import { uploadedSchema } from "@/lib/chat/attachments/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { uploadFile } from "@/lib/http/upload_file.ts";

export const handler = methods({
  POST: apiEndpoint(
    {
      summary: "Upload a file",
      description: "A multipart body with one file, whatever its field is called.",
      who: "anyone",
      params: {},
      isStreamed: true,
      success: uploadedSchema,
      refusals: ["BAD_REQUEST", "REALM_UPLOAD_QUOTA"],
    },
    async ({ app, realm, user, ctx, ignore }) =>
      await uploadFile(app, { realm, actingUser: user }, { request: ctx.req, ignore }),
  ),
});
