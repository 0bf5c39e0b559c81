import { AppError } from "@/lib/core/errors.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";

/** An unsent message. */
export interface DraftRecord {
  readonly id: number;
  /** Empty while the draft has no recipient. */
  readonly type: "" | "stream" | "private";
  /** The id of a channel, or the ids of users. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** Time of the last edit, in seconds since 1970 UTC. */
  readonly timestamp: number;
}

/** The drafts that an account stores on the server; an account without this record stores none yet. */
export interface DraftList {
  /** Whether the user has turned draft synchronization off. */
  readonly is_off: boolean;
  readonly ids: readonly number[];
}

/** Maximum number of drafts of one account. */
export const MAX_DRAFTS = 500;

export const draftKeys = {
  list: (realmId: number, userId: number): Key => [realmId, "draft_box", userId],
  drafts: (realmId: number, userId: number): Key => [realmId, "draft", userId],
  draft: (realmId: number, userId: number, id: number): Key => [realmId, "draft", userId, id],
};

/**
 * Returns the draft list, or an empty one for null.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
function requireDraftSync(list: DraftList | null): DraftList {
  if (list?.is_off !== true) return list ?? { is_off: false, ids: [] };
  throw new AppError("BAD_REQUEST", "User has disabled synchronizing drafts.");
}

/**
 * Lists a user's drafts, the one edited last at the end.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export async function listDrafts(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
): Promise<DraftRecord[]> {
  const { ids } = requireDraftSync(await app.reads.read<DraftList>(draftKeys.list(realm.id, user.id)));
  const drafts = await Promise.all(
    ids.map((id) => app.reads.read<DraftRecord>(draftKeys.draft(realm.id, user.id, id))),
  );
  return drafts.filter((draft) => draft !== null).sort((a, b) => a.timestamp - b.timestamp);
}

/**
 * Returns a user's draft list in a transaction.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export async function getDraftList(tx: Tx, { realm, actingUser: user }: Caller): Promise<DraftList> {
  return requireDraftSync(await tx.get<DraftList>(draftKeys.list(realm.id, user.id)));
}

/**
 * Turns draft synchronization on or off in the commit that changes its setting; turning it off empties the
 * list.
 */
export function setDraftSync(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  isOn: boolean,
): void {
  const key = draftKeys.list(realmId, userId);
  if (isOn) tx.delete(key);
  else tx.set(key, { is_off: true, ids: [] } satisfies DraftList);
}

/**
 * Deletes an account's drafts that are not in its draft list, after draft synchronization has been turned
 * off.
 */
export async function deleteUnlistedDrafts(
  { store }: ChatApp,
  realmId: number,
  userId: number,
): Promise<void> {
  const ids: number[] = [];
  const prefix = [...draftKeys.drafts(realmId, userId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 20 })) {
    const id = toEntry(entry).key.at(-1);
    if (typeof id === "number") ids.push(id);
  }
  if (ids.length === 0) return;
  await transact(store, async (tx) => {
    const listedIds = (await tx.get<DraftList>(draftKeys.list(realmId, userId)))?.ids ?? [];
    const unlistedIds = ids.filter((id) => !listedIds.includes(id)).slice(0, MAX_DRAFTS);
    for (const id of unlistedIds) tx.delete(draftKeys.draft(realmId, userId, id));
  });
}
