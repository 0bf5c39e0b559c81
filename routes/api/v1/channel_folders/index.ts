import { listFolders } from "@/lib/chat/channel_folders/list.ts";
import { listFoldersParams, reorderFoldersParams } from "@/lib/chat/channel_folders/params.ts";
import { reorderFolders } from "@/lib/chat/channel_folders/reorder.ts";
import { channelFoldersSchema } from "@/lib/chat/channel_folders/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List channel folders",
    who: "anyone",
    params: listFoldersParams,
    success: channelFoldersSchema,
  }, async ({ app, realm, params }) => {
    const includeArchived = params.include_archived;
    return { channel_folders: await listFolders(app, realm, { includeArchived }) };
  }),
  PATCH: apiEndpoint({
    summary: "Reorder channel folders",
    who: "admin",
    params: reorderFoldersParams,
  }, async ({ app, realm, user, params }) => {
    await reorderFolders(app, { realm, actingUser: user }, params.order);
  }),
});
