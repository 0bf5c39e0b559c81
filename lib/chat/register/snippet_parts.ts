import { listSnippets } from "../saved_snippets/list_snippets.ts";
import { snippetsSchema } from "../saved_snippets/schema.ts";
import { part } from "./part.ts";

/** The texts that the caller keeps to use them again. */
export const snippets = part("saved_snippets", snippetsSchema, async ({ app, realm, user }) => ({
  saved_snippets: await listSnippets(app, { realm, user }),
}));
