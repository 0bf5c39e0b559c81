import { listAttachments } from "@/lib/chat/messages/downloads.ts";
import { attachmentsSchema } from "@/lib/chat/organization/files/model.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the files that you uploaded",
    access: "anyone",
    success: attachmentsSchema,
  }, async ({ app, caller }) => await listAttachments(app, caller)),
});
