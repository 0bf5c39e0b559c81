import { deleteDraft, editDraft } from "@/lib/chat/drafts/keep_drafts.ts";
import { editDraftParams } from "@/lib/chat/drafts/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Edit a draft",
      who: "anyone",
      ids: ["draft_id"],
      params: editDraftParams,
    },
    ({ app, realm, user, ids, params }) =>
      editDraft(app, { realm, user }, { id: ids.draft_id, sent: params.draft }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a draft",
    who: "anyone",
    ids: ["draft_id"],
    params: {},
  }, ({ app, realm, user, ids }) => deleteDraft(app, { realm, user }, ids.draft_id)),
});
