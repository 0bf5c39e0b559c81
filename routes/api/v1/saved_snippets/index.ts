import {
  createdSnippetSchema,
  createSnippet,
  createSnippetParams,
  snippets,
  snippetsSchema,
} from "@/lib/chat/messages/saved_snippets.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your saved snippets",
    access: "anyone",
    params: {},
    success: snippetsSchema,
  }, async ({ app, caller }) => ({ saved_snippets: await snippets.list(app, caller) })),
  POST: apiEndpoint({
    summary: "Create a saved snippet",
    access: "anyone",
    params: createSnippetParams,
    success: createdSnippetSchema,
  }, async ({ app, caller, params }) => ({ saved_snippet_id: await createSnippet(app, caller, params) })),
});
