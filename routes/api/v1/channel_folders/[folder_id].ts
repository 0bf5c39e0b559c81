import { updateChannelFolder, updateChannelFolderParams } from "@/lib/chat/channels/channel_folders.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a channel folder",
    description: "Changes a folder's name or description, or archives or unarchives it.",
    access: "admin",
    params: updateChannelFolderParams,
    ids: ["folder_id"],
  }, async ({ app, caller, params, ids }) => {
    await updateChannelFolder(app, caller, { folderId: ids.folder_id, changes: params });
  }),
});
