import { AppError } from "@/lib/core/errors.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { snippetKeys, type SnippetOwner, type SnippetRecord } from "./model.ts";

/** Snippets per read of the store: few reads, each with at most 4 MB of snippets of maximum length. */
const BATCH = 100;

/** Lists a user's saved snippets, the oldest first. */
export function listSnippets({ store }: ChatApp, { realm, user }: SnippetOwner): Promise<SnippetRecord[]> {
  return listValues<SnippetRecord>(store.kv, snippetKeys.snippets(realm.id, user.id), { batchSize: BATCH });
}

/**
 * Returns a saved snippet in a transaction.
 * @throws AppError BAD_REQUEST with status 404 when the owner has no such snippet.
 */
export async function getSnippet(tx: Tx, { realm, user }: SnippetOwner, id: number): Promise<SnippetRecord> {
  const key = snippetKeys.snippet(realm.id, user.id, id);
  const record = Number.isSafeInteger(id) ? await tx.get<SnippetRecord>(key) : null;
  if (record !== null) return record;
  throw new AppError("BAD_REQUEST", "Saved snippet does not exist.", { status: 404 });
}
