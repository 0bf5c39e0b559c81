import { updateFolderParams } from "@/lib/chat/channel_folders/params.ts";
import { updateFolder } from "@/lib/chat/channel_folders/update.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a channel folder",
    description: "Changes a folder's name and description, archives it or takes it back into use.",
    who: "admin",
    params: updateFolderParams,
    ids: ["folder_id"],
  }, async ({ app, realm, user, params, ids }) => {
    await updateFolder(app, { realm, actingUser: user }, { folderId: ids.folder_id, changes: params });
  }),
});
