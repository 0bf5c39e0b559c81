import {
  createChannelFolder,
  createChannelFolderParams,
  createdChannelFolderSchema,
} from "@/lib/chat/channels/channel_folders.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a channel folder",
    access: "admin",
    params: createChannelFolderParams,
    success: createdChannelFolderSchema,
  }, async ({ app, caller, params }) => {
    const { id } = await createChannelFolder(app, caller, params);
    return { channel_folder_id: id };
  }),
});
