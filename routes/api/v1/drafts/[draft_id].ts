import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { updateDraftParams } from "@/lib/chat/drafts/api.ts";
import { deleteDraft } from "@/lib/chat/drafts/delete_draft.ts";
import { updateDraft } from "@/lib/chat/drafts/update_draft.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Edit a draft",
      access: "anyone",
      ids: ["draft_id"],
      params: updateDraftParams,
      refusals: [["BAD_REQUEST", 404]],
    },
    ({ app, realm, user, ids, params }) =>
      updateDraft(app, { realm, user }, { id: ids.draft_id, input: params.draft }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a draft",
    access: "anyone",
    ids: ["draft_id"],
    params: {},
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, realm, user, ids }) => deleteDraft(app, { realm, user }, ids.draft_id)),
});
