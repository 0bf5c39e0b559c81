import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { linkifiersSchema, reorderLinkifiersParams } from "@/lib/chat/messages/linkifiers/api.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { listLinkifiers } from "@/lib/chat/messages/linkifiers/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List linkifiers",
    access: "anyone",
    success: linkifiersSchema,
  }, async ({ app, realm }) => ({ linkifiers: await listLinkifiers(app, realm.id) })),
  PATCH: apiEndpoint({
    summary: "Reorder linkifiers",
    access: "admin",
    params: reorderLinkifiersParams,
  }, ({ app, caller, params }) => reorderLinkifiers(app, caller, params.ordered_linkifier_ids)),
});
