import { listAttachments } from "@/lib/chat/attachments/list_attachments.ts";
import { attachmentsSchema } from "@/lib/chat/attachments/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the files that you uploaded",
    who: "anyone",
    params: {},
    success: attachmentsSchema,
  }, async ({ app, realm, user }) => await listAttachments(app, { realm, actingUser: user })),
});
