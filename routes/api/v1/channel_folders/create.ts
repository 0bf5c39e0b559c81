import { createFolder } from "@/lib/chat/channel_folders/create.ts";
import { createFolderParams } from "@/lib/chat/channel_folders/params.ts";
import { madeFolderSchema } from "@/lib/chat/channel_folders/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Create a channel folder",
    who: "admin",
    params: createFolderParams,
    success: madeFolderSchema,
  }, async ({ app, realm, user, params }) => {
    const { id } = await createFolder(app, { realm, actingUser: user }, params);
    return { channel_folder_id: id };
  }),
});
