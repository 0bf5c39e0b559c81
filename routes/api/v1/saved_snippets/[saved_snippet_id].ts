import { deleteSnippet, updateSnippet, updateSnippetParams } from "@/lib/chat/messages/saved_snippets.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

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
    ({ app, caller, ids, params }) => updateSnippet(app, caller, { ...params, id: ids.saved_snippet_id }),
  ),
  DELETE: apiEndpoint({
    summary: "Delete a saved snippet",
    description: "Answers 404 when you have no such snippet.",
    access: "anyone",
    ids: ["saved_snippet_id"],
    refusals: [["BAD_REQUEST", 404]],
  }, ({ app, caller, ids }) => deleteSnippet(app, caller, ids.saved_snippet_id)),
});
