import {
  channelFoldersSchema,
  listChannelFolders,
  listChannelFoldersParams,
  reorderChannelFolders,
  reorderChannelFoldersParams,
} from "@/lib/chat/channels/channel_folders.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List channel folders",
    access: "anyone",
    params: listChannelFoldersParams,
    success: channelFoldersSchema,
  }, async ({ app, realm, params }) => {
    const includeArchived = params.include_archived;
    return { channel_folders: await listChannelFolders(app, realm, { includeArchived }) };
  }),
  PATCH: apiEndpoint({
    summary: "Reorder channel folders",
    access: "admin",
    params: reorderChannelFoldersParams,
  }, ({ app, caller, params }) => reorderChannelFolders(app, caller, params.order)),
});
