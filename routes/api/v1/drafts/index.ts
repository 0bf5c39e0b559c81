import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import {
  createdDraftsSchema,
  createDrafts,
  createDraftsParams,
  draftsSchema,
  listDrafts,
} from "@/lib/chat/messages/drafts.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your drafts",
    access: "anyone",
    success: draftsSchema,
  }, async ({ app, caller }) => {
    const drafts = await listDrafts(app, caller);
    return { count: drafts.length, drafts };
  }),
  POST: apiEndpoint({
    summary: "Create drafts",
    access: "anyone",
    params: createDraftsParams,
    success: createdDraftsSchema,
  }, async ({ app, caller, params }) => ({ ids: await createDrafts(app, caller, params.drafts) })),
});
