import { type Key, toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";

/** Which drafts an account keeps on the server; without one it keeps none, and may. */
export interface DraftBox {
  /** The account keeps its drafts to itself: its settings say so. */
  readonly is_off: boolean;
  readonly ids: readonly number[];
}

/** Drafts of one account at most. */
export const MAX_DRAFTS = 500;

/** Where drafts lie in the store. */
export const draftKeys = {
  box: (realmId: number, userId: number): Key => [realmId, "draft_box", userId],
  drafts: (realmId: number, userId: number): Key => [realmId, "draft", userId],
  draft: (realmId: number, userId: number, id: number): Key => [realmId, "draft", userId, id],
};

/** Opens or closes an account's box, part of the change of its setting; a closed box holds nothing. */
export function setDraftBox(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  isOn: boolean,
): void {
  const key = draftKeys.box(realmId, userId);
  if (isOn) tx.delete(key);
  else tx.set(key, { is_off: true, ids: [] } satisfies DraftBox);
}

/** Deletes what no box holds any more of an account's drafts; after the commit that closed it. */
export async function sweepDrafts({ store }: ChatApp, realmId: number, userId: number): Promise<void> {
  const ids: number[] = [];
  const prefix = [...draftKeys.drafts(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 20 })) {
    const id = toEntry(entry).key.at(-1);
    if (typeof id === "number") ids.push(id);
  }
  if (ids.length === 0) return;
  await transact(store, async (tx) => {
    const held = (await tx.get<DraftBox>(draftKeys.box(realmId, userId)))?.ids ?? [];
    const swept = ids.filter((id) => !held.includes(id)).slice(0, MAX_DRAFTS);
    for (const id of swept) tx.delete(draftKeys.draft(realmId, userId, id));
  });
}
