import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendSnippetEvent } from "./events.ts";
import { MAX_SNIPPETS, snippetKeys, snippetLock, type SnippetOwner, type SnippetRecord } from "./model.ts";

/**
 * Stores a snippet and returns its id.
 * @throws AppError BAD_REQUEST for an invalid title, and when the user has the maximum number of snippets.
 */
export async function createSnippet(
  app: ChatApp,
  owner: SnippetOwner,
  { title, content }: { title: string; content: string },
): Promise<number> {
  const { realm, user } = owner;
  requireName(title, "title", { mayMixScripts: true });
  return await transact(app.store, async (tx) => {
    const countKey = snippetKeys.count(realm.id, user.id);
    const count = await tx.get<number>(countKey) ?? 0;
    if (count >= MAX_SNIPPETS) {
      throw new AppError("BAD_REQUEST", `You can keep ${MAX_SNIPPETS} saved snippets at most.`);
    }
    const now = app.clock.now();
    const id = await tx.nextId("snippet");
    const record: SnippetRecord = { id, title, content, date_created: Math.floor(now / 1000) };
    tx.set(snippetKeys.snippet(realm.id, user.id, id), record);
    tx.set(countKey, count + 1);
    sendSnippetEvent(tx, now, { owner, op: "add", saved_snippet: record });
    return id;
  }, snippetLock(owner));
}
