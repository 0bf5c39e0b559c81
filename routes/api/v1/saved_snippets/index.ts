import { createSnippet } from "@/lib/chat/saved_snippets/create_snippet.ts";
import { listSnippets } from "@/lib/chat/saved_snippets/store.ts";
import { createdSnippetSchema, createSnippetParams, snippetsSchema } from "@/lib/chat/saved_snippets/api.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your saved snippets",
    access: "anyone",
    params: {},
    success: snippetsSchema,
  }, async ({ app, realm, user }) => ({ saved_snippets: await listSnippets(app, { realm, user }) })),
  POST: apiEndpoint({
    summary: "Create a saved snippet",
    access: "anyone",
    params: createSnippetParams,
    success: createdSnippetSchema,
  }, async ({ app, realm, user, params }) => ({
    saved_snippet_id: await createSnippet(app, { realm, user }, params),
  })),
});
