import { createHash } from "node:crypto";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { getActingAdmin } from "@/lib/chat/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { readWithin, transact, type Tx } from "@/lib/store/transact.ts";
import {
  fieldOrderReversal,
  fieldReversal,
  folderOrderReversal,
  folderReversal,
  linkifierExistenceReversal,
  linkifierOrderReversal,
  linkifierReversal,
  playgroundReversal,
} from "./list_reversals.ts";
import type { AuditAction, FieldValues, RevertedRecord } from "./model.ts";
import {
  channelReversal,
  groupReversal,
  isSameValue,
  realmReversal,
  type Reversal,
  type RevertContext,
  userReversal,
} from "./reversals.ts";
import {
  type AuditLogEntry,
  putReverted,
  readAuditEntry,
  readAuditValues,
  readReverted,
  RevertingTx,
} from "./store.ts";

const REVERSALS: Partial<Record<AuditAction, Reversal>> = {
  realm_changed: realmReversal,
  user_role_changed: userReversal,
  user_renamed: userReversal,
  user_deactivated: userReversal,
  user_reactivated: userReversal,
  bot_changed: userReversal,
  bot_deactivated: userReversal,
  bot_reactivated: userReversal,
  group_changed: groupReversal,
  group_deactivated: groupReversal,
  group_reactivated: groupReversal,
  group_members_changed: groupReversal,
  channel_changed: channelReversal,
  channel_archived: channelReversal,
  channel_unarchived: channelReversal,
  default_channel_added: channelReversal,
  default_channel_removed: channelReversal,
  folder_changed: folderReversal,
  folder_archived: folderReversal,
  folder_restored: folderReversal,
  folder_reordered: folderOrderReversal,
  linkifier_created: linkifierExistenceReversal,
  linkifier_changed: linkifierReversal,
  linkifier_deleted: linkifierExistenceReversal,
  linkifier_reordered: linkifierOrderReversal,
  playground_added: playgroundReversal,
  playground_removed: playgroundReversal,
  profile_field_changed: fieldReversal,
  profile_field_reordered: fieldOrderReversal,
};

/** A field of a change, and what reverting the change does to it. */
export interface RevertedField {
  readonly name: string;
  /** Value that the change replaced, and that the reversal sets. */
  readonly earlier: unknown;
  readonly current: unknown;
  /** Value that the change set. */
  readonly changed: unknown;
  /** Whether the value differs from the one that the change set. */
  readonly isChangedSince: boolean;
}

/** A change of the audit log, and what reverting it does now. */
export interface ReversalPreview {
  readonly entry: AuditLogEntry;
  /** Null for a change that was not reverted. */
  readonly reverted: RevertedRecord | null;
  /** Fields whose current value is not the earlier one; null when the changed object no longer exists. */
  readonly fields: readonly RevertedField[] | null;
  /** Changes with the current values. */
  readonly revision: string;
}

/** Confirmation of a reversal. */
interface RevertRequest {
  /** Id of the entry. */
  readonly id: string;
  /** Revision of the preview that was confirmed. */
  readonly revision: string;
  /** Whether values that were set after the change may be replaced. */
  readonly replacesLater: boolean;
}

/** Reads what reverting a change does; null for an unknown entry and a change that cannot be reverted. */
export async function readReversal(
  app: ChatApp,
  caller: Caller,
  id: string,
): Promise<ReversalPreview | null> {
  return await readWithin(app.store, async (tx) => {
    const change = await findChange({ app, tx, ...caller }, id);
    if (change === null) return null;
    const { entry, reversal, context } = change;
    const reverted = await readReverted(tx, caller.realm.id, id);
    const current = await reversal.read(context);
    const fields = current === null ? null : toFields(context, current);
    return { entry, reverted, fields, revision: toRevision(current) };
  });
}

/**
 * Reverts a change as an administrator: sets the values that it replaced with the action of the object's domain,
 * whose entry in the audit log refers to the reverted one. A change is reverted once.
 * @throws AppError NOT_FOUND, EXPECTATION_MISMATCH when the values are not those of the preview or were changed
 * since, BAD_REQUEST, and anything the domain's action throws.
 */
export async function revertChange(
  app: ChatApp,
  caller: Caller,
  request: RevertRequest,
): Promise<AuditLogEntry> {
  const realmId = caller.realm.id;
  const found = await readAuditEntry({ get: app.reads.read }, realmId, request.id);
  const reversal = found === null ? undefined : REVERSALS[found.action];
  if (found === null || reversal === undefined) throw notRevertible();
  await reversal.prepare?.(app, realmId);
  const followUp = await transact(app.store, async (tx) => {
    const actor = await getActingAdmin(tx, caller);
    const reverting = new RevertingTx(tx, request.id);
    const followUp = await applyReversal({ app, tx: reverting, ...caller }, request);
    const [entry_id] = reverting.entryIds;
    if (entry_id === undefined) throw new AppError("BAD_REQUEST", "There is nothing to revert.");
    const reverted = { time: app.clock.now(), acting_user_id: actor.id, entry_id };
    putReverted(tx, { realmId, id: request.id }, reverted);
    return followUp;
  });
  if (followUp !== null) await afterCommit(followUp);
  return found;
}

async function applyReversal(
  action: Caller & { readonly app: ChatApp; readonly tx: Tx },
  { id, revision, replacesLater }: RevertRequest,
) {
  const change = await findChange(action, id);
  if (change === null) throw notRevertible();
  const { reversal, context } = change;
  if (await readReverted(action.tx, action.realm.id, id) !== null) {
    throw new AppError("BAD_REQUEST", "This change was already reverted.");
  }
  const current = await reversal.read(context);
  if (current === null) throw new AppError("BAD_REQUEST", "The changed object no longer exists.");
  const fields = toFields(context, current);
  const isConfirmed = replacesLater || !fields.some(({ isChangedSince }) => isChangedSince);
  if (toRevision(current) !== revision || !isConfirmed) {
    throw new AppError("EXPECTATION_MISMATCH", "The values were changed since.");
  }
  if (fields.length === 0) throw new AppError("BAD_REQUEST", "There is nothing to revert.");
  return await reversal.apply(
    context,
    Object.fromEntries(fields.map(({ name, earlier }) => [name, earlier])),
  );
}

async function findChange(
  action: Caller & { readonly app: ChatApp; readonly tx: Tx },
  id: string,
) {
  const entry = await readAuditEntry(action.tx, action.realm.id, id);
  const reversal = entry === null ? undefined : REVERSALS[entry.action];
  if (entry === null || reversal === undefined) return null;
  const values = await readAuditValues(action.tx, action.realm.id, id);
  const context = values === null ? null : { ...action, target: entry.target, values };
  return context === null ? null : { entry, reversal, context };
}

/** Returns the fields whose current value is not the earlier one. */
function toFields(
  { values: { before, after } }: RevertContext,
  current: FieldValues,
): readonly RevertedField[] {
  return Object.keys(after).map((name) => ({
    name,
    earlier: before[name],
    current: current[name],
    changed: after[name],
    isChangedSince: !isSameValue(current[name], after[name]),
  })).filter(({ earlier, current }) => !isSameValue(earlier, current));
}

function toRevision(current: FieldValues | null): string {
  return createHash("sha256").update(JSON.stringify(current)).digest("base64url").slice(0, 16);
}

function notRevertible(): AppError {
  return new AppError("NOT_FOUND", "This change cannot be reverted.");
}
