import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { deleteDraft, updateDraft, updateDraftParams } from "@/lib/chat/messages/drafts.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Edit a draft",
      access: "anyone",
      ids: ["draft_id"],
      params: updateDraftParams,
      refusals: [["BAD_REQUEST", 404]],
    },
    ({ app, caller, ids, params }) => updateDraft(app, caller, { id: ids.draft_id, input: params.draft }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a draft",
    access: "anyone",
    ids: ["draft_id"],
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ids }) => deleteDraft(app, caller, ids.draft_id)),
});
