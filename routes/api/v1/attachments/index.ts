import { listAttachments } from "@/lib/chat/messages/downloads.ts";
import { attachmentsSchema } from "@/lib/chat/organization/files/model.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the files that you uploaded",
    access: "anyone",
    params: {},
    success: attachmentsSchema,
  }, async ({ app, caller }) => await listAttachments(app, caller)),
});
