import { requireName } from "@/lib/core/names.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendSnippetEvent } from "./events.ts";
import { snippetKeys, snippetLock, type SnippetOwner, type SnippetRecord } from "./model.ts";
import { getSnippet } from "./store.ts";

/** Changes of a snippet; undefined keeps the current value. */
export interface SnippetChanges {
  readonly title: string | undefined;
  readonly content: string | undefined;
}

/**
 * Updates a snippet. Does nothing when no change is given, even if the snippet does not exist.
 * @throws AppError BAD_REQUEST for an invalid title, with status 404 when the owner has no such snippet.
 */
export async function updateSnippet(
  app: ChatApp,
  owner: SnippetOwner,
  { id, changes: { title, content } }: { id: number; changes: SnippetChanges },
): Promise<void> {
  if (title === undefined && content === undefined) return;
  await transact(app.store, async (tx) => {
    const before = await getSnippet(tx, owner, id);
    if (title !== undefined && title !== before.title) {
      requireName(title, "title", { mayMixScripts: true });
    }
    const record: SnippetRecord = {
      ...before,
      title: title ?? before.title,
      content: content ?? before.content,
    };
    tx.set(snippetKeys.snippet(owner.realm.id, owner.user.id, id), record);
    sendSnippetEvent(tx, app.clock.now(), { owner, op: "update", saved_snippet: record });
  }, snippetLock(owner));
}
