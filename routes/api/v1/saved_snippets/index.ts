import {
  createdSnippetSchema,
  createSnippet,
  createSnippetParams,
  snippets,
  snippetsSchema,
} from "@/lib/chat/messages/saved_snippets.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your saved snippets",
    access: "anyone",
    success: snippetsSchema,
  }, async ({ app, caller }) => ({ saved_snippets: await snippets.list(app, caller) })),
  POST: apiEndpoint({
    summary: "Create a saved snippet",
    access: "anyone",
    params: createSnippetParams,
    success: createdSnippetSchema,
  }, async ({ app, caller, params }) => ({ saved_snippet_id: await createSnippet(app, caller, params) })),
});
