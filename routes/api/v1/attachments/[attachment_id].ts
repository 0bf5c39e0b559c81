import { deleteAttachment } from "@/lib/chat/messages/files/remove_upload.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  DELETE: apiEndpoint({
    summary: "Delete a file that you uploaded",
    description: "Links to the file in messages stop working.",
    access: "anyone",
    ids: ["attachment_id"],
  }, ({ app, caller, ids }) => deleteAttachment(app, caller, ids.attachment_id)),
});
