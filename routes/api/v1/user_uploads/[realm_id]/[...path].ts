import { openFile } from "@/lib/chat/attachments/open_file.ts";
import { temporarySchema } from "@/lib/chat/attachments/schema.ts";
import { temporaryPath } from "@/lib/chat/attachments/temporary_link.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { pathIdOf } from "@/lib/http/download.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "A path under which a file can be had for a minute",
    who: "anyone",
    params: {},
    success: temporarySchema,
    refusals: ["NOT_FOUND", "UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, realm, user, ctx }) => {
    const upload = await openFile(app, { realm, user }, pathIdOf(ctx));
    return { url: temporaryPath(app, realm, upload) };
  }),
});
