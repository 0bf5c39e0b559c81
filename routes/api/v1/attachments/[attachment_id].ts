import { deleteAttachment } from "@/lib/chat/attachments/delete_attachment.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Remove a file that you uploaded",
    description: "Messages that link it then lead nowhere.",
    who: "anyone",
    ids: ["attachment_id"],
    params: {},
    refusals: ["BAD_REQUEST"],
  }, async ({ app, realm, user, ids }) => {
    await deleteAttachment(app, { realm, actingUser: user }, ids.attachment_id);
  }),
});
