import { createSnippet } from "@/lib/chat/saved_snippets/keep_snippets.ts";
import { listSnippets } from "@/lib/chat/saved_snippets/list_snippets.ts";
import { createSnippetParams } from "@/lib/chat/saved_snippets/params.ts";
import { createdSnippetSchema, snippetsSchema } from "@/lib/chat/saved_snippets/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get your saved snippets",
    who: "anyone",
    params: {},
    success: snippetsSchema,
  }, async ({ app, realm, user }) => ({ saved_snippets: await listSnippets(app, { realm, user }) })),
  POST: apiEndpoint({
    summary: "Save a snippet",
    who: "anyone",
    params: createSnippetParams,
    success: createdSnippetSchema,
  }, async ({ app, realm, user, params }) => ({
    saved_snippet_id: await createSnippet(app, { realm, user }, params),
  })),
});
