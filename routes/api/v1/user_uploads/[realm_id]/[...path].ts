import { createTemporaryPath, getAccessibleUpload } from "@/lib/chat/messages/downloads.ts";
import { temporaryLinkSchema } from "@/lib/chat/organization/files/model.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { pathIdOf } from "@/lib/api/files/download.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a temporary link to a file",
    description: "The returned path opens the file for one minute without authentication.",
    access: "anyone",
    success: temporaryLinkSchema,
    holdsSecrets: true,
    refusals: ["NOT_FOUND", ["UNAUTHORIZED_PRINCIPAL", 403]],
  }, async ({ app, realm, user, ctx }) => {
    const upload = await getAccessibleUpload(app, { realm, user }, pathIdOf(ctx));
    return { url: createTemporaryPath(app, realm, { upload }) };
  }),
});
