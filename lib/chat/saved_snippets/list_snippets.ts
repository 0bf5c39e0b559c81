import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { snippetKeys, type SnippetOwner, type SnippetRecord } from "./snippet.ts";

/** Large enough for few reads, small enough that one of them holds no more than 4 MB of the longest. */
const BATCH = 100;

/** Everything that an account keeps, the oldest first. */
export async function listSnippets(
  { store }: ChatApp,
  { realm, user }: SnippetOwner,
): Promise<SnippetRecord[]> {
  const snippets: SnippetRecord[] = [];
  const prefix = [...snippetKeys.snippets(realm.id, user.id)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: BATCH })) {
    snippets.push(toEntry<SnippetRecord>(entry).value);
  }
  return snippets;
}
