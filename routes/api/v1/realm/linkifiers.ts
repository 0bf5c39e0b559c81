import { reorderLinkifiersParams } from "@/lib/chat/linkifiers/params.ts";
import { listLinkifiers } from "@/lib/chat/linkifiers/read_linkifiers.ts";
import { reorderLinkifiers } from "@/lib/chat/linkifiers/reorder_linkifiers.ts";
import { linkifiersSchema } from "@/lib/chat/linkifiers/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List linkifiers",
    who: "anyone",
    params: {},
    success: linkifiersSchema,
  }, async ({ app, realm }) => ({ linkifiers: await listLinkifiers(app, realm.id) })),
  PATCH: apiEndpoint({
    summary: "Reorder linkifiers",
    who: "admin",
    params: reorderLinkifiersParams,
  }, async ({ app, realm, user, params }) => {
    await reorderLinkifiers(app, { realm, actingUser: user }, params.ordered_linkifier_ids);
  }),
});
