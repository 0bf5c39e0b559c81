import { createDrafts } from "@/lib/chat/drafts/keep_drafts.ts";
import { listDrafts } from "@/lib/chat/drafts/list_drafts.ts";
import { createDraftsParams } from "@/lib/chat/drafts/params.ts";
import { createdDraftsSchema, draftsSchema } from "@/lib/chat/drafts/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get your drafts",
    who: "anyone",
    params: {},
    success: draftsSchema,
  }, async ({ app, realm, user }) => {
    const drafts = await listDrafts(app, { realm, user });
    return { count: drafts.length, drafts };
  }),
  POST: apiEndpoint({
    summary: "Keep drafts",
    who: "anyone",
    params: createDraftsParams,
    success: createdDraftsSchema,
  }, async ({ app, realm, user, params }) => ({
    ids: await createDrafts(app, { realm, user }, params.drafts),
  })),
});
