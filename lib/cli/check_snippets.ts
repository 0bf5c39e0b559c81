import type { Kv } from "@/lib/store/kv.ts";
import { snippetKeys } from "@/lib/chat/saved_snippets/model.ts";
import { compareIndex, type Complain, indexBelow } from "./check_index.ts";

/** Number of entries read from the store at a time; snippets can be long. */
const BATCH = 50;

/** Compares the snippet counts with the saved snippets. */
export async function checkSnippets(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const counts = new Map<string, number>();
  const prefix = [...snippetKeys.all(realmId)];
  for await (const { key } of kv.list({ prefix }, { batchSize: BATCH })) {
    const owner = String(key[prefix.length]);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  compareIndex(complain, "counts of saved snippets", {
    wanted: [...counts],
    found: await indexBelow(kv, snippetKeys.counts(realmId)),
  });
}
