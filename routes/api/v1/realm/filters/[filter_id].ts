import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { linkifierParams } from "@/lib/chat/messages/linkifiers/api.ts";
import { deleteLinkifier, updateLinkifier } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a linkifier",
    access: "admin",
    params: linkifierParams,
    ids: ["filter_id"],
  }, ({ app, caller, params, ids }) => updateLinkifier(app, caller, { id: ids.filter_id, sent: params })),
  DELETE: apiEndpoint({
    summary: "Delete a linkifier",
    description: "Messages that contain its links keep them.",
    access: "admin",
    ids: ["filter_id"],
  }, ({ app, caller, ids }) => deleteLinkifier(app, caller, ids.filter_id)),
});
