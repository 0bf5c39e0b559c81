import { z } from "zod";

/** A snippet as the API shows it. */
const snippetSchema = z.object({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
}).meta({ id: "SavedSnippet" });

/** The answer of listing snippets. */
export const snippetsSchema = z.object({ saved_snippets: z.array(snippetSchema) });

/** The answer of keeping a snippet. */
export const createdSnippetSchema = z.object({ saved_snippet_id: z.int() });
