import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { createdDraftsSchema, createDraftsParams, draftsSchema } from "@/lib/chat/drafts/api.ts";
import { createDrafts } from "@/lib/chat/drafts/create_drafts.ts";
import { listDrafts } from "@/lib/chat/drafts/store.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your drafts",
    access: "anyone",
    params: {},
    success: draftsSchema,
  }, async ({ app, realm, user }) => {
    const drafts = await listDrafts(app, { realm, user });
    return { count: drafts.length, drafts };
  }),
  POST: apiEndpoint({
    summary: "Create drafts",
    access: "anyone",
    params: createDraftsParams,
    success: createdDraftsSchema,
  }, async ({ app, realm, user, params }) => ({
    ids: await createDrafts(app, { realm, user }, params.drafts),
  })),
});
