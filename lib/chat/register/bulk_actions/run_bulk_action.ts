import type { Sweep } from "@/lib/core/worker.ts";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { announceGroupMembers } from "@/lib/chat/organization/user_groups/events.ts";
import { invalidChannel } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import {
  getTargetUsers,
  requireCanSubscribe,
  subscribeUsers,
} from "@/lib/chat/channels/subscriptions/subscribe_users.ts";
import { getRealm } from "@/lib/chat/organization/organizations/model.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { changeMembers } from "@/lib/chat/organization/user_groups/edit_members.ts";
import { deactivateAccount, reactivateAccount, setUserRole } from "@/lib/chat/people/users/change_user.ts";
import { addUserByAdmin, type CreatedUser } from "@/lib/chat/joining/create_user.ts";
import { completeJoin } from "@/lib/chat/joining/invites/complete_join.ts";
import {
  isAdmin,
  isBot,
  requireCanAssignRole,
  requireCanManageUser,
  userKeys,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { getUser } from "@/lib/chat/organization/users/store.ts";
import { ownedBots } from "@/lib/chat/people/put_user.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { auditBulkStep, type ChangedIds } from "./audit_bulk_action.ts";
import {
  bulkActionKeys,
  type BulkActionRecord,
  type BulkChange,
  type BulkFailure,
  type BulkItem,
  CHUNK_ITEMS,
  getBulkItems,
  getStepSize,
  type ImportedUser,
  MAX_FAILURES,
  parseDueKey,
  putBulkAction,
} from "./bulk_actions.ts";
import {
  requireCanUnsubscribe,
  unsubscribeUsers,
} from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";

/** The transaction of a step, and the administrator as stored now. */
type StepContext = ChangeContext & { readonly actor: UserRecord };

/** Effect of a step: the changed users, without those of subscriptions, and the joins of the created ones. */
interface StepEffect extends ChangedIds {
  readonly pendingJoins: readonly Key[];
}

/**
 * Applies a change to items, all or none; an item that already has the wanted state stays as it is.
 * @throws AppError for the first item that is refused.
 */
async function applyItems(
  context: StepContext,
  change: BulkChange,
  items: readonly BulkItem[],
): Promise<StepEffect> {
  const ids = items.filter((item) => typeof item === "number");
  const users: number[] = [];
  const bots: number[] = [];
  const pendingJoins: Key[] = [];
  switch (change.kind) {
    case "add_to_group":
      users.push(...await addToGroup(context, change.group_id, ids));
      break;
    case "subscribe":
    case "unsubscribe":
      await changeSubscriptions(context, change, ids);
      break;
    case "import":
      for (const item of items) {
        if (typeof item === "number") continue;
        const { user, pendingJoin } = await importUser(context, item);
        users.push(user.id);
        if (pendingJoin !== null) pendingJoins.push(pendingJoin);
      }
      break;
    default:
      for (const id of ids) {
        const ended = await changeAccount(context, change, id);
        if (ended === null) continue;
        users.push(id);
        bots.push(...ended);
      }
  }
  return { users, bots, pendingJoins };
}

/** Changes an account and returns the ids of its bots that are deactivated too; null if it had the wanted state before. */
async function changeAccount(
  context: StepContext,
  change: Extract<BulkChange, { kind: "set_role" | "deactivate" | "reactivate" }>,
  id: number,
): Promise<readonly number[] | null> {
  const { tx, realm, actor } = context;
  const target = await getUser(tx, realm.id, id);
  requireCanManageUser(actor, target);
  if (change.kind === "set_role") {
    if (target.role === change.role) return null;
    requireCanAssignRole(actor, { target, role: change.role });
    await setUserRole(context, target, change.role);
    return [];
  }
  if (change.kind === "reactivate") {
    if (target.is_active) return null;
    await reactivateAccount(context, target, actor);
    return [];
  }
  if (target.id === actor.id) {
    throw new AppError("BAD_REQUEST", "You cannot deactivate your own account together with others.");
  }
  if (!target.is_active) return null;
  const bots = isBot(target) ? [] : await ownedBots.get(tx, { realm, actingUser: target });
  await deactivateAccount(context, target);
  return bots;
}

/** Creates an account without a password, which its user chooses with a link. */
async function importUser(
  context: StepContext,
  [fullName, deliveryEmail, role]: ImportedUser,
): Promise<CreatedUser> {
  const user = { fullName, deliveryEmail, role, passwordHash: null };
  return await addUserByAdmin({ ...context, actingUser: context.actor }, user);
}

async function addToGroup(
  { app, tx, realm, actor }: StepContext,
  groupId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { groups } = permissionsOf(await tx.organization(realm.id), app.clock);
  const members = new Set(groups.get(groupId)?.members);
  const add = ids.filter((id) => !members.has(id));
  if (add.length === 0) return [];
  const edits = { add, delete: [], add_subgroups: [], delete_subgroups: [] };
  await changeMembers({ app, tx, realm, actingUser: actor }, { groupId, edits });
  return add;
}

async function changeSubscriptions(
  { app, tx, realm, actor }: StepContext,
  { kind, channel_id: channelId }: Extract<BulkChange, { kind: "subscribe" | "unsubscribe" }>,
  ids: readonly number[],
): Promise<void> {
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const viewer = await readChannelViewer(tx, { realmId: realm.id, channelId, user: actor });
  if (viewer === null) throw invalidChannel();
  const users = await getTargetUsers(tx, realm.id, ids);
  if (kind === "subscribe") {
    const channels = [{ name: viewer.channel.name, viewer, color: undefined }];
    requireCanSubscribe(permissions, { actingUser: actor, channels, users, isFatal: true });
    await subscribeUsers(app, tx, { permissions, channels, users });
  } else {
    const named = { found: [{ sent: viewer.channel, viewer }], missing: [] };
    const channels = requireCanUnsubscribe(permissions, { actingUser: actor, channels: named, users });
    await unsubscribeUsers(app, tx, { permissions, channels, users });
  }
}

interface Step {
  readonly key: Key;
  readonly realmId: number;
  readonly id: number;
  readonly change: BulkChange;
  /** Number of items processed before; the commit of the step advances it. */
  readonly done: number;
}

/** Number of running actions of which each gets a step in turn. */
const MAX_AT_ONCE = 20;

/** Runs a step of each action in turn until none is left, and returns their number. */
export async function sweepBulkActions(app: ChatApp, { isStopped, report }: Sweep): Promise<number> {
  const paused = new Set<string>();
  let steps = 0;
  for (;;) {
    const entries = app.store.kv.list({ prefix: [...bulkActionKeys.dueRows] }, { limit: MAX_AT_ONCE });
    const due = await Array.fromAsync(entries, ({ key }) => key);
    const keys = due.filter((key) => !paused.has(key.join(" ")));
    if (keys.length === 0) return steps;
    for (const key of keys) {
      if (isStopped()) return steps;
      await runBulkAction(app, key).then(() => steps++, (error) => {
        // Another process works on it, or the store failed: the next sweep continues.
        paused.add(key.join(" "));
        if (!(error instanceof NoLongerDue)) report(error);
      });
    }
  }
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
  for (let at = 0; at < size; at++) {
    const one = { ...step, done: step.done + at };
    const refusal = await refusalOf(() => commitStep(app, one, { size: 1, refusal: null }));
    if (refusal !== null) await commitStep(app, one, { size: 1, refusal: refusal.message });
  }
  return true;
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

const NO_EFFECT: StepEffect = { users: [], bots: [], pendingJoins: [] };

/** Applies items, or records that one is refused, and advances the action in the same commit. */
async function commitStep(
  app: ChatApp,
  step: Step,
  { size, refusal }: { size: number; refusal: string | null },
): Promise<void> {
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
    const context = { app, tx, realm, actor };
    const effect = refusal === null ? await applyItems(context, change, items) : NO_EFFECT;
    await auditBulkStep(context, action, effect);
    const failure = refusal === null ? null : await toFailure(tx, realmId, { item: items[0], refusal });
    const advanced = advance(action, size, failure);
    putBulkAction(tx, realmId, advanced);
    if (advanced.state === "finished") tx.delete(key);
    const isChunkDone = advanced.done % CHUNK_ITEMS === 0 || advanced.state === "finished";
    // Those of an import stay, so that its users can get sign-in links.
    if (isChunkDone && change.kind !== "import") {
      tx.delete(bulkActionKeys.items(realmId, id, Math.floor(done / CHUNK_ITEMS)));
    }
    return { caller: { realm, actingUser: actor }, effect };
  });
  if (applied === null) return;
  const { caller, effect: { users: added, pendingJoins } } = applied;
  // The joins of a process that ends here are left to the worker that completes interrupted ones.
  for (const pendingJoin of pendingJoins) await afterCommit(() => completeJoin(app, pendingJoin));
  if (added.length === 0 || change.kind !== "add_to_group") return;
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
