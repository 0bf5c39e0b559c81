import { z } from "zod";
import { MAX_MESSAGE_LENGTH } from "../messages/model.ts";
import { described, optional, trimmed } from "../params/param.ts";
import { MAX_SNIPPET_TITLE } from "./model.ts";

const title = described(
  trimmed({ max: MAX_SNIPPET_TITLE, min: 1 }),
  "The title; several snippets can share one.",
);
const content = described(trimmed({ max: MAX_MESSAGE_LENGTH, min: 1 }), "The Markdown text.");

/** Parameters of creating a snippet. */
export const createSnippetParams = { title, content };

/** Parameters of editing a snippet. */
export const updateSnippetParams = { title: optional(title), content: optional(content) };

/** A snippet as the API returns it. */
const snippetSchema = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
}).meta({ id: "SavedSnippet" });

/** Response of listing snippets. */
export const snippetsSchema = z.object({ saved_snippets: z.array(snippetSchema) });

/** Response of creating a snippet. */
export const createdSnippetSchema = z.object({ saved_snippet_id: z.int() });
