import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { announceChannelChanges } from "@/lib/chat/channels/announce_channels.ts";
import { updateChannelParams } from "@/lib/chat/channels/api.ts";
import { readChannelValues } from "@/lib/chat/channels/events.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { changeChannel } from "@/lib/chat/channels/update_channel.ts";
import { realmParams } from "@/lib/chat/organization/organizations/api.ts";
import { changeRealm, readRealmValues } from "@/lib/chat/organization/organizations/update_realm.ts";
import type { Params, ParamValues } from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { isPermission } from "@/lib/chat/organization/permissions/model/registry.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { updateGroupParams } from "@/lib/chat/organization/user_groups/api.ts";
import { changeGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import { readGroupValues } from "@/lib/chat/organization/user_groups/events.ts";
import { type Caller, requireAdmin, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { act, getUser } from "@/lib/chat/organization/users/store.ts";
import { changeUser } from "@/lib/chat/people/users/update_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { readWithin } from "@/lib/store/transact.ts";
import {
  type AuditKind,
  type AuditTarget,
  type AuditValues,
  type FieldValues,
  isRevertible,
  type RevertedRecord,
} from "@/lib/chat/organization/audit/model.ts";
import {
  type AuditLogEntry,
  putReverted,
  readAuditEntry,
  readAuditValues,
  readReverted,
} from "@/lib/chat/organization/audit/store.ts";

interface RevertContext extends ActionContext {
  readonly target: AuditTarget;
  readonly values: AuditValues;
}

/** Work that follows the commit of a reversal, such as a notice. */
type FollowUp = () => Promise<unknown>;

/** Reverts changes of one kind of object. */
interface Reversal {
  /** Returns the current values; null when the object no longer exists. */
  read(context: RevertContext): Promise<FieldValues | null>;
  /** Sets earlier values with the action of the object's domain, whose permissions apply. */
  apply(context: RevertContext, earlier: FieldValues): Promise<FollowUp | void>;
}

/** Settings in seconds for which null means without limit, which a request names `unlimited`. */
const LIMITS = ["message_content_edit_limit_seconds", "message_content_delete_limit_seconds"];

const userReversal: Reversal = {
  async read(context) {
    const user = await context.tx.get<UserRecord>(userKeys.user(context.realm.id, targetId(context)));
    return user === null ? null : { full_name: user.full_name };
  },
  async apply(context, { full_name }) {
    const target = await getUser(context.tx, context.realm.id, targetId(context));
    await changeUser(context, target, {
      full_name: String(full_name),
      role: undefined,
      new_email: undefined,
    });
  },
};

const REVERSALS: Partial<Record<AuditKind, Reversal>> = {
  user: userReversal,
  bot: userReversal,
  realm: {
    read: async ({ app, tx, realm }) =>
      readRealmValues(permissionsOf(await tx.organization(realm.id), app.clock)),
    async apply(context, earlier) {
      const sent = Object.entries(earlier).map(([name, value]) => [
        name,
        LIMITS.includes(name) ? value ?? "unlimited" : value,
      ]);
      await changeRealm(context, toParams(realmParams, Object.fromEntries(sent)));
    },
  },
  group: {
    async read(context) {
      const permissions = permissionsOf(await context.tx.organization(context.realm.id), context.app.clock);
      const group = permissions.groups.get(targetId(context));
      return group === undefined ? null : readGroupValues(permissions, group);
    },
    async apply(context, earlier) {
      const { name, description, deactivated, ...permissions } = toParams(updateGroupParams, earlier);
      const changes = { name, description, deactivated, permissions };
      await changeGroup(context, { groupId: targetId(context), changes });
    },
  },
  channel: {
    async read(context) {
      const { app, tx, realm } = context;
      const channel = await tx.get<ChannelRecord>(channelKeys.channel(realm.id, targetId(context)));
      return channel === null
        ? null
        : readChannelValues(permissionsOf(await tx.organization(realm.id), app.clock), channel);
    },
    async apply(context, { name, ...others }) {
      const sent = name === undefined ? others : { new_name: name, ...others };
      const changes = toParams(updateChannelParams, sent);
      const changed = await changeChannel(context, { channelId: targetId(context), changes });
      return () => announceChannelChanges(context.app, context, changed);
    },
  },
};

/** Returns the id of the changed object; -1, which no object has, for another kind of id. */
function targetId({ target }: RevertContext): number {
  return typeof target.id === "number" ? target.id : -1;
}

/** Returns stored values as the validated parameters of a request; permissions become their new value.
 * @throws AppError for values that are no longer allowed. */
export function toParams<P extends Params>(params: P, values: FieldValues): ParamValues<P> {
  const fields = Object.entries(values).map(([name, value]): [string, string] => {
    const param = params[name];
    if (param?.encoding === "text" || param?.encoding === "trimmed") return [name, String(value)];
    return [name, JSON.stringify(isPermission(name) ? { new: value } : value)];
  });
  return readParams(params, new Map(fields)).values;
}

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
    return { entry, reverted, fields, revision: toRevision(context, current) };
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
  { id, revision, replacesLater }: RevertRequest,
): Promise<void> {
  const realmId = caller.realm.id;
  const followUp = await act(app, caller, async (action) => {
    const { tx, actingUser: actor } = action;
    requireAdmin(actor);
    const change = await findChange({ ...action, reverts: id }, id);
    if (change === null) throw new AppError("NOT_FOUND", "This change cannot be reverted.");
    const { reversal, context } = change;
    if (await readReverted(tx, realmId, id) !== null) {
      throw new AppError("BAD_REQUEST", "This change was already reverted.");
    }
    const current = await reversal.read(context);
    if (current === null) throw new AppError("BAD_REQUEST", "The changed object no longer exists.");
    const fields = toFields(context, current);
    const isConfirmed = replacesLater || !fields.some(({ isChangedSince }) => isChangedSince);
    if (toRevision(context, current) !== revision || !isConfirmed) {
      throw new AppError("EXPECTATION_MISMATCH", "The values were changed since.");
    }
    if (fields.length === 0) throw new AppError("BAD_REQUEST", "There is nothing to revert.");
    putReverted(tx, { realmId, id }, { time: app.clock.now(), acting_user_id: actor.id });
    const earlier = Object.fromEntries(fields.map(({ name, earlier }) => [name, earlier]));
    return await reversal.apply(context, earlier);
  });
  if (followUp !== undefined) await afterCommit(followUp);
}

async function findChange(action: ActionContext, id: string) {
  const entry = await readAuditEntry(action.tx, action.realm.id, id);
  const reversal = entry === null || !isRevertible(entry) ? undefined : REVERSALS[entry.target.kind];
  if (entry === null || reversal === undefined) return null;
  const values = await readAuditValues(action.tx, action.realm.id, id);
  return values === null ? null : { entry, reversal, context: { ...action, target: entry.target, values } };
}

function toFields(
  { values: { before, after } }: RevertContext,
  current: FieldValues,
): readonly RevertedField[] {
  return Object.keys(after).map((name) => ({
    name,
    earlier: before[name],
    current: current[name] ?? null,
    changed: after[name],
    isChangedSince: !isDeepStrictEqual(current[name] ?? null, after[name]),
  })).filter(({ earlier, current }) => !isDeepStrictEqual(earlier, current));
}

/** Returns a digest of the current values of the changed fields. */
function toRevision({ values }: RevertContext, current: FieldValues | null): string {
  const changed = current && Object.keys(values.after).map((name) => [name, current[name] ?? null]);
  return createHash("sha256").update(JSON.stringify(changed)).digest("base64url").slice(0, 16);
}
