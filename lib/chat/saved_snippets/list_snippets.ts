import { listValues } from "@/lib/kv/list_values.ts";
import type { ChatApp } from "../app.ts";
import { snippetKeys, type SnippetOwner, type SnippetRecord } from "./snippet.ts";

/** Large enough for few reads, small enough that one of them holds no more than 4 MB of the longest. */
const BATCH = 100;

/** Everything that an account keeps, the oldest first. */
export function listSnippets({ store }: ChatApp, { realm, user }: SnippetOwner): Promise<SnippetRecord[]> {
  return listValues<SnippetRecord>(store.kv, snippetKeys.snippets(realm.id, user.id), { batchSize: BATCH });
}
