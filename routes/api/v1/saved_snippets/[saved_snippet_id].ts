import { deleteSnippet, editSnippet } from "@/lib/chat/saved_snippets/keep_snippets.ts";
import { editSnippetParams } from "@/lib/chat/saved_snippets/params.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Edit a saved snippet",
      description: "A snippet that you do not have is answered with 404.",
      who: "anyone",
      ids: ["saved_snippet_id"],
      params: editSnippetParams,
    },
    ({ app, realm, user, ids, params }) =>
      editSnippet(app, { realm, user }, { id: ids.saved_snippet_id, changes: params }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a saved snippet",
    description: "A snippet that you do not have is answered with 404.",
    who: "anyone",
    ids: ["saved_snippet_id"],
    params: {},
  }, ({ app, realm, user, ids }) => deleteSnippet(app, { realm, user }, ids.saved_snippet_id)),
});
