import { readChannelValues } from "@/lib/chat/channels/events.ts";
import { readGroupValues } from "@/lib/chat/user_groups/events.ts";
import { isDeepStrictEqual } from "node:util";
import { announceGroupMembers } from "@/lib/chat/user_groups/announce_members.ts";
import { announceChannelChanges } from "@/lib/chat/channels/announce_channels.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/app.ts";
import { updateChannelParams } from "@/lib/chat/channels/api.ts";
import { applyArchiving, applyChannelUpdate } from "@/lib/chat/channels/update_channel.ts";
import { channelKeys, type ChannelRecord, UNLIMITED_RETENTION } from "@/lib/chat/channels/model/channel.ts";
import { readDefaultChannelIds } from "@/lib/chat/channels/store.ts";
import { realmParams } from "@/lib/chat/organizations/api.ts";
import { applyRealmUpdate, readRealmValues } from "@/lib/chat/organizations/update_realm.ts";
import type { Params, ParamValues } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import { isPermission } from "@/lib/chat/permissions/model/registry.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { updateGroupParams } from "@/lib/chat/user_groups/api.ts";
import { applyGroupDeactivation, applyGroupUpdate } from "@/lib/chat/user_groups/change_group.ts";
import { applyMemberEdits, type MemberEdits } from "@/lib/chat/user_groups/edit_members.ts";
import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import { isBot, requireCanManageUser, ROLES, userKeys, type UserRecord } from "@/lib/chat/users/model.ts";
import { getActingUser, getUser } from "@/lib/chat/users/store.ts";
import { applyReactivation, changeUser, deactivateAndAudit } from "@/lib/chat/users/update_user.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AuditTarget, AuditValues, FieldValues } from "./model.ts";

export interface RevertContext extends ActionContext {
  readonly target: AuditTarget;
  readonly values: AuditValues;
}

/** Work that follows the commit of a reversal, such as a notice. */
type FollowUp = () => Promise<unknown>;

/** Reverts changes of one kind of object. */
export interface Reversal {
  /** Returns the current values of the fields that the change set; null when the object no longer exists. */
  read(context: RevertContext): Promise<FieldValues | null>;
  /** Sets earlier values with the action of the object's domain, whose permissions apply. */
  apply(context: RevertContext, earlier: FieldValues): Promise<FollowUp | null>;
  /** Runs before the transaction. */
  prepare?(app: ChatApp, realmId: number): Promise<void>;
}

export function pickChanged({ values }: RevertContext, all: FieldValues): FieldValues {
  return Object.fromEntries(Object.keys(values.after).map((name) => [name, all[name] ?? null]));
}

/** Returns the id of the changed object; NaN, which no object has, for another kind of id. */
export function targetId({ target }: RevertContext): number {
  return typeof target.id === "number" ? target.id : Number.NaN;
}

/** Whether two values of a field are equal. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns the ids in a value; none for any other value. */
export function toIds(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "number") : [];
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

/** Returns the earlier order of the objects that exist, then those that did not exist at that time. */
export function toEarlierOrder(earlier: unknown, current: readonly number[]): readonly number[] {
  const known = toIds(earlier).filter((id) => current.includes(id));
  return [...known, ...current.filter((id) => !known.includes(id))];
}

/** Reverts changes of an account's role and name, deactivating and reactivating. */
export const userReversal: Reversal = {
  async read(context) {
    const key = userKeys.user(context.realm.id, targetId(context));
    const user = Number.isSafeInteger(targetId(context)) ? await context.tx.get<UserRecord>(key) : null;
    if (user === null) return null;
    const { full_name, role, is_active } = user;
    return pickChanged(context, { full_name, role, is_active });
  },
  async apply(context, { is_active, role, full_name }) {
    if (is_active === true) {
      await applyReactivation(context, targetId(context));
      return null;
    }
    const { tx, realm, actingUser } = context;
    const actor = await getActingUser(tx, realm.id, actingUser);
    const target = await getUser(tx, realm.id, targetId(context));
    if (is_active !== false) {
      await changeUser(context, { actor, target }, {
        role: ROLES.find((known) => known === role),
        full_name: typeof full_name === "string" ? full_name : undefined,
        new_email: undefined,
      });
      return null;
    }
    requireCanManageUser(actor, target);
    if (target.id === actor.id && !isBot(target)) {
      throw new AppError("BAD_REQUEST", "You cannot deactivate your own account here.");
    }
    await deactivateAndAudit(context, { actor, target });
    return null;
  },
};

/** Settings in seconds for which null means without limit, which a request names `unlimited`. */
const LIMITS = ["message_content_edit_limit_seconds", "message_content_delete_limit_seconds"];

/** Reverts changes of an organization's settings and permissions. */
export const realmReversal: Reversal = {
  async read(context) {
    const permissions = permissionsOf(await context.tx.organization(context.realm.id), context.app.clock);
    return pickChanged(context, readRealmValues(permissions));
  },
  async apply({ app, tx, realm, actingUser }, earlier) {
    const sent = Object.fromEntries(
      Object.entries(earlier).map(([name, value]) => [
        name,
        LIMITS.includes(name) ? value ?? "unlimited" : value,
      ]),
    );
    await applyRealmUpdate({ app, tx, realmId: realm.id, actingUser }, toParams(realmParams, sent));
    return null;
  },
};

/** Lists of a change of members, and the list of the group that they name. */
const MEMBER_LISTS = {
  add: "members",
  delete: "members",
  add_subgroups: "subgroups",
  delete_subgroups: "subgroups",
} as const satisfies Record<keyof MemberEdits, keyof GroupRecord>;

/** Reverts changes of a group's name, description, permissions and members, deactivating and reactivating. */
export const groupReversal: Reversal = {
  async read(context) {
    const group = await readGroup(context);
    if (group === null) return null;
    const { record, permissions } = group;
    const values = { ...readGroupValues(permissions, record), deactivated: record.deactivated };
    return pickChanged(context, { ...values, ...readMembers(context, record) });
  },
  async apply(context, earlier) {
    const groupId = targetId(context);
    if (Object.keys(earlier).some((name) => name in MEMBER_LISTS)) {
      return await revertMembers(context, earlier);
    }
    if (earlier["deactivated"] === true) {
      await applyGroupDeactivation(context, groupId);
      return null;
    }
    const { name, description, deactivated, ...permissions } = toParams(updateGroupParams, earlier);
    await applyGroupUpdate(context, { groupId, changes: { name, description, deactivated, permissions } });
    return null;
  },
};

async function readGroup({ app, tx, realm, ...context }: RevertContext) {
  const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
  const record = permissions.groups.get(targetId({ app, tx, realm, ...context })) ?? null;
  return record === null ? null : { permissions, record };
}

/** Returns which of the ids that a change named are in the group now, by list. */
function readMembers({ values }: RevertContext, group: GroupRecord): FieldValues {
  return Object.fromEntries(
    Object.entries(MEMBER_LISTS).map(([name, list]) => {
      const inside = new Set(group[list]);
      const named = [...toIds(values.before[name]), ...toIds(values.after[name])];
      return [name, named.filter((id) => inside.has(id))];
    }),
  );
}

/** Adds and removes members, except for deactivated users, who can be neither added nor removed. */
async function revertMembers(context: RevertContext, earlier: FieldValues): Promise<FollowUp | null> {
  const found = await readGroup(context);
  if (found === null) return null;
  const current = readMembers(context, found.record);
  const missing = (name: keyof MemberEdits, isInside: boolean) => {
    const [wanted, others] = isInside ? [earlier[name], current[name]] : [current[name], earlier[name]];
    const excluded = new Set(toIds(others));
    return name in earlier ? toIds(wanted).filter((id) => !excluded.has(id)) : [];
  };
  const edits: MemberEdits = {
    add: await keepActive(context, missing("delete", true)),
    delete: await keepActive(context, missing("add", false)),
    add_subgroups: missing("delete_subgroups", true),
    delete_subgroups: missing("add_subgroups", false),
  };
  if (Object.values(edits).every((ids) => ids.length === 0)) return null;
  const { app, realm, actingUser } = context;
  const groupId = targetId(context);
  await applyMemberEdits(context, { groupId, edits });
  const notices = { groupId, added: edits.add, removed: edits.delete };
  return () => announceGroupMembers(app, { realm, actingUser }, notices);
}

async function keepActive({ tx, realm }: RevertContext, ids: readonly number[]): Promise<readonly number[]> {
  const users = await Promise.all(ids.map((id) => tx.peek<UserRecord>(userKeys.user(realm.id, id))));
  return ids.filter((_, at) => users[at]?.is_active === true);
}

/** Names under which a request sends properties. */
const SENT_NAMES: Readonly<Record<string, string>> = {
  name: "new_name",
  invite_only: "is_private",
  is_default: "is_default_stream",
};

/** Reverts changes of a channel's settings and permissions, archiving and restoring. */
export const channelReversal: Reversal = {
  async read(context) {
    const { app, tx, realm } = context;
    const channel = await readChannel(context);
    if (channel === null) return null;
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const is_default = (await readDefaultChannelIds(tx, realm.id)).includes(channel.id);
    const { is_archived } = channel;
    return pickChanged(context, { ...readChannelValues(permissions, channel), is_archived, is_default });
  },
  async apply(context, earlier) {
    const { app, realm, actingUser } = context;
    const channelId = targetId(context);
    if (earlier["is_archived"] === true) {
      await applyArchiving(context, channelId);
      return null;
    }
    const sent = toSent(await readChannel(context), earlier);
    const changes = toParams(updateChannelParams, sent);
    const changed = await applyChannelUpdate(context, { channelId, changes });
    return () => announceChannelChanges(app, { realm, actingUser }, changed);
  },
};

async function readChannel(context: RevertContext): Promise<ChannelRecord | null> {
  const id = targetId(context);
  return Number.isSafeInteger(id)
    ? await context.tx.get<ChannelRecord>(channelKeys.channel(context.realm.id, id))
    : null;
}

/** Returns values as a request sends them. */
function toSent(channel: ChannelRecord | null, earlier: FieldValues): FieldValues {
  const sent = Object.fromEntries(
    Object.entries(earlier).map(([name, value]) => [
      SENT_NAMES[name] ?? name,
      name === "message_retention_days" ? toSentRetention(value) : value,
    ]),
  );
  // Without it, the history would follow from the privacy.
  return "is_private" in sent && channel !== null
    ? { history_public_to_subscribers: channel.history_public_to_subscribers, ...sent }
    : sent;
}

function toSentRetention(days: unknown): unknown {
  return days === null ? "realm_default" : days === UNLIMITED_RETENTION ? "unlimited" : days;
}
