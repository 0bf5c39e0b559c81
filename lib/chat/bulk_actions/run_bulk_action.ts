import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { announceGroupMembers } from "../announcements/announce_group_members.ts";
import type { ChatApp } from "../app.ts";
import { getRealm } from "../organizations/store.ts";
import { isAdmin, userKeys, type UserRecord } from "../users/model.ts";
import { applyItems } from "./apply_items.ts";
import {
  bulkActionKeys,
  type BulkActionRecord,
  type BulkChange,
  type BulkFailure,
  type BulkItem,
  CHUNK_ITEMS,
  getStepSize,
  MAX_FAILURES,
  parseDueKey,
} from "./model.ts";
import { getBulkItems, putBulkAction } from "./store.ts";

/** A running action at one of its items. */
interface Step {
  readonly key: Key;
  readonly realmId: number;
  readonly id: number;
  readonly change: BulkChange;
  /** Number of items processed before; the commit of the step advances it. */
  readonly done: number;
}

/**
 * Applies the next items of a running action in one commit that also records the progress, so that each item is
 * processed once. Returns whether more items may follow.
 * @throws NoLongerDue when another process has taken the step.
 */
export async function runBulkAction(app: ChatApp, key: Key): Promise<boolean> {
  const { realmId, id } = parseDueKey(key);
  const action = await readRecord<BulkActionRecord>(app.store.kv, bulkActionKeys.action(realmId, id));
  if (action?.state !== "running") {
    await transact(app.store, (tx) => Promise.resolve(tx.delete(key)));
    return false;
  }
  const step = { key, realmId, id, change: action.change, done: action.done };
  const size = getStepSize(action);
  if (await refusalOf(() => commitStep(app, step, { size, refusal: null })) === null) return true;
  // One of several may be refused: each gets a commit of its own.
  for (let at = 0; at < size; at++) await runOne(app, { ...step, done: step.done + at });
  return true;
}

async function runOne(app: ChatApp, step: Step): Promise<void> {
  const refusal = await refusalOf(() => commitStep(app, step, { size: 1, refusal: null }));
  if (refusal !== null) await commitStep(app, step, { size: 1, refusal: refusal.message });
}

async function refusalOf(work: () => Promise<void>): Promise<AppError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    // The reads or writes of several items may exceed those of a commit.
    if (error instanceof RangeError) return new AppError("BAD_REQUEST", "The change is too large.");
    if (isRefusal(error)) return error;
    throw error;
  }
}

/** Number of items of a step, and the reason for which the only one was refused. */
interface StepItems {
  readonly size: number;
  readonly refusal: string | null;
}

/** Applies items, or records that one is refused, and advances the action in the same commit. */
async function commitStep(app: ChatApp, step: Step, { size, refusal }: StepItems): Promise<void> {
  const { key, realmId, id, change, done } = step;
  const applied = await transact(app.store, async (tx) => {
    const action = await tx.get<BulkActionRecord>(bulkActionKeys.action(realmId, id));
    if (action === null || action.state !== "running" || action.done !== done) throw new NoLongerDue();
    const realm = await getRealm(tx, realmId);
    const actor = await tx.get<UserRecord>(userKeys.user(realmId, action.acting_user_id));
    if (actor === null || !actor.is_active || !isAdmin(actor)) {
      putBulkAction(tx, realmId, { ...action, state: "stopped" });
      return null;
    }
    const items = await getBulkItems(tx, realmId, { id, from: done, count: size });
    const added = refusal === null ? await applyItems({ app, tx, realm, actor }, change, items) : [];
    const failure = refusal === null ? null : await toFailure(tx, realmId, { item: items[0], refusal });
    const advanced = advance(action, size, failure);
    putBulkAction(tx, realmId, advanced);
    if (advanced.state === "finished") tx.delete(key);
    const isChunkDone = advanced.done % CHUNK_ITEMS === 0 || advanced.state === "finished";
    // Those of an import stay, so that its users can get sign-in links.
    if (isChunkDone && change.kind !== "import") {
      tx.delete(bulkActionKeys.items(realmId, id, Math.floor(done / CHUNK_ITEMS)));
    }
    return { caller: { realm, actingUser: actor }, added };
  });
  if (applied === null || applied.added.length === 0 || change.kind !== "add_to_group") return;
  const { caller, added } = applied;
  const notices = { groupId: change.group_id, added, removed: [] };
  await afterCommit(() => announceGroupMembers(app, caller, notices));
}

function advance(
  action: BulkActionRecord,
  size: number,
  failure: BulkFailure | null,
): BulkActionRecord {
  const done = action.done + size;
  const state = done >= action.total ? "finished" : "running";
  if (failure === null) return { ...action, done, state };
  const failures = [...action.failures, failure].slice(0, MAX_FAILURES);
  return { ...action, done, state, failed: action.failed + 1, failures };
}

async function toFailure(
  tx: Tx,
  realmId: number,
  { item, refusal: reason }: { item: BulkItem | undefined; refusal: string },
): Promise<BulkFailure> {
  if (item === undefined) return { user_id: null, name: "", reason };
  if (typeof item !== "number") return { user_id: null, name: item[1], reason };
  const user = await tx.peek<UserRecord>(userKeys.user(realmId, item));
  return { user_id: item, name: user?.full_name ?? String(item), reason };
}
