import { createTemporaryPath, getAccessibleUpload } from "@/lib/chat/messages/downloads.ts";
import { temporaryLinkSchema } from "@/lib/chat/organization/files/model.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { thumbnailPathOf } from "@/lib/api/files/download.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a temporary link to a thumbnail",
    description:
      "The path ends with the name of a format in `server_thumbnail_formats` of `POST /register`. " +
      "The returned path opens the thumbnail for one minute without authentication.",
    access: "anyone",
    success: temporaryLinkSchema,
    holdsSecrets: true,
    refusals: ["NOT_FOUND", ["UNAUTHORIZED_PRINCIPAL", 403]],
  }, async ({ app, realm, user, ctx }) => {
    const { pathId, format } = thumbnailPathOf(ctx);
    const upload = await getAccessibleUpload(app, { realm, user }, pathId);
    return { url: createTemporaryPath(app, realm, { upload, format }) };
  }),
});
