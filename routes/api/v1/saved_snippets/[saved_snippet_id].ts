import { updateSnippet } from "@/lib/chat/saved_snippets/update_snippet.ts";
import { deleteSnippet } from "@/lib/chat/saved_snippets/delete_snippet.ts";
import { updateSnippetParams } from "@/lib/chat/saved_snippets/api.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  PATCH: apiEndpoint(
    {
      summary: "Edit a saved snippet",
      description: "Answers 404 when you have no such snippet.",
      access: "anyone",
      ids: ["saved_snippet_id"],
      params: updateSnippetParams,
      refusals: [["BAD_REQUEST", 404]],
    },
    ({ app, realm, user, ids, params }) =>
      updateSnippet(app, { realm, user }, { id: ids.saved_snippet_id, changes: params }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a saved snippet",
    description: "Answers 404 when you have no such snippet.",
    access: "anyone",
    ids: ["saved_snippet_id"],
    params: {},
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, realm, user, ids }) => deleteSnippet(app, { realm, user }, ids.saved_snippet_id)),
});
