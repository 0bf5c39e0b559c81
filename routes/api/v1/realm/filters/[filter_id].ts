import { linkifierParams } from "@/lib/chat/linkifiers/params.ts";
import { removeLinkifier } from "@/lib/chat/linkifiers/remove_linkifier.ts";
import { updateLinkifier } from "@/lib/chat/linkifiers/update_linkifier.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Update a linkifier",
    who: "admin",
    params: linkifierParams,
    ids: ["filter_id"],
  }, async ({ app, realm, user, params, ids }) => {
    await updateLinkifier(app, { realm, actingUser: user }, { id: ids.filter_id, sent: params });
  }),
  DELETE: apiEndpoint({
    summary: "Remove a linkifier",
    description: "Messages that it acted on keep their links.",
    who: "admin",
    params: {},
    ids: ["filter_id"],
  }, async ({ app, realm, user, ids }) => {
    await removeLinkifier(app, { realm, actingUser: user }, ids.filter_id);
  }),
});
