import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendSnippetEvent } from "./events.ts";
import { snippetKeys, snippetLock, type SnippetOwner } from "./model.ts";
import { getSnippet } from "./store.ts";

/**
 * Deletes a snippet.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such snippet.
 */
export async function deleteSnippet(app: ChatApp, owner: SnippetOwner, id: number): Promise<void> {
  const { realm, user } = owner;
  await transact(app.store, async (tx) => {
    await getSnippet(tx, owner, id);
    tx.delete(snippetKeys.snippet(realm.id, user.id, id));
    const countKey = snippetKeys.count(realm.id, user.id);
    const count = (await tx.get<number>(countKey) ?? 1) - 1;
    if (count > 0) tx.set(countKey, count);
    else tx.delete(countKey);
    sendSnippetEvent(tx, app.clock.now(), { owner, op: "remove", saved_snippet_id: id });
  }, snippetLock(owner));
}
