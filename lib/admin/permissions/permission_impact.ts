import { listHolders } from "@/lib/chat/organization/permissions/model/grants.ts";
import type { GroupSettingUpdate } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  filterMembers,
  type PermissionContext,
  transitiveSupergroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  type PermissionOwner,
  permissionRule,
  permissionRules,
} from "@/lib/chat/organization/permissions/model/registry.ts";
import { withGroup } from "@/lib/chat/organization/user_groups/model/rules.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  type DeactivationObjection,
  listDeactivationObjections,
} from "@/lib/chat/organization/user_groups/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AdminRequest } from "../admin_request.ts";
import { readVisibleChannel } from "../shown_people.ts";
import { listGrants, type PermissionSubject } from "./effective_permissions.ts";

/** Users who gain and lose a permission, or the membership of a group, by a change. */
export interface HolderChange {
  readonly label: string;
  readonly isMembership: boolean;
  readonly gained: readonly UserRecord[];
  readonly lost: readonly UserRecord[];
}

/** Effect of a change on the users of an organization. */
export interface PermissionImpact {
  /** Permissions that someone gains or loses. */
  readonly changes: readonly HolderChange[];
  /** Number of places that were checked, if a group is used in more; null otherwise. */
  readonly checkedUses: number | null;
}

/** In place of the name of a channel that the user cannot see. */
export const HIDDEN_CHANNEL = "A channel that you cannot see";
/** Maximum number of permissions naming a group that are checked. */
const MAX_USES = 25;

/** Returns who gains and loses which permissions when some of an object's permissions are changed. */
export async function findPermissionImpact(
  request: AdminRequest,
  subject: PermissionSubject,
  updates: Readonly<Record<string, GroupSettingUpdate>>,
): Promise<PermissionImpact> {
  const permissions = await request.readPermissions();
  const values = Object.fromEntries(
    Object.entries(updates).map(([setting, update]) => [setting, update.new]),
  );
  const before = { permissions, subject };
  const after = {
    subject: withSubjectValues(subject, values),
    permissions: subject.kind === "realm"
      ? { ...permissions, realm: withValues(permissions.realm, values) }
      : permissions,
  };
  const settings = listAffected(subject, Object.keys(values));
  const users = await listActive(request);
  return { changes: await compareAll(request, { before, after, settings, users }), checkedUses: null };
}

/** Returns who joins and leaves a group when it is replaced, and which permissions they gain and lose. */
export async function findGroupImpact(request: AdminRequest, group: GroupRecord): Promise<PermissionImpact> {
  const permissions = await request.readPermissions();
  const changed = withGroup(permissions, group);
  const all = await listActive(request);
  const was = new Set(filterMembers(permissions, group.id, all));
  const is = new Set(filterMembers(changed, group.id, all));
  const users = [...was.symmetricDifference(is)];
  const { t } = request;
  const membership = {
    label: t("Members of {group}", { group: group.name }),
    isMembership: true,
    gained: [...is.difference(was)],
    lost: [...was.difference(is)],
  };
  if (users.length === 0) return { changes: [], checkedUses: null };
  const uses = await listUses(request, permissions, group.id);
  const changes: HolderChange[] = [membership];
  for (const { subject, settings, name } of uses.slice(0, MAX_USES)) {
    if (subject === null) continue;
    const [before, after] = [{ permissions, subject }, { permissions: changed, subject }];
    const found = await compareAll(request, { before, after, settings, users });
    const toLabel = (permission: string) =>
      name === "" ? permission : t("{owner}: {permission}", { owner: name, permission });
    changes.push(...found.map((one) => ({ ...one, label: toLabel(one.label) })));
  }
  return { changes, checkedUses: uses.length > MAX_USES ? MAX_USES : null };
}

async function listActive({ chat, realm }: AdminRequest): Promise<readonly UserRecord[]> {
  return (await readDirectory(chat, realm.id)).byName.filter(({ is_active }) => is_active);
}

interface Comparison {
  readonly before: { readonly permissions: PermissionContext; readonly subject: PermissionSubject };
  readonly after: Comparison["before"];
  readonly settings: readonly string[];
  readonly users: readonly UserRecord[];
}

/** Compares the holders of several permissions, those of all users one after the other. */
async function compareAll(
  { t }: AdminRequest,
  { before, after, settings, users }: Comparison,
): Promise<HolderChange[]> {
  const changes: HolderChange[] = [];
  for (const setting of settings) {
    await yieldToEventLoop();
    const was = holdersOf(before, setting, users);
    const is = holdersOf(after, setting, users);
    const gained = users.filter(({ id }) => is.has(id) && !was.has(id));
    const lost = users.filter(({ id }) => was.has(id) && !is.has(id));
    if (gained.length + lost.length === 0) continue;
    const label = t(permissionRule(before.subject.kind, setting).label);
    changes.push({ label, isMembership: false, gained, lost });
  }
  return changes;
}

function holdersOf(
  { permissions, subject }: Comparison["before"],
  setting: string,
  users: readonly UserRecord[],
): ReadonlySet<number> {
  return listHolders(permissions, { ...subject, grants: listGrants(subject, setting) }, users);
}

/** Lists the permissions that changed values of some of them grant. */
function listAffected(subject: PermissionSubject, changed: readonly string[]): readonly string[] {
  const source = subject.kind === "realm" ? "realm" : "owner";
  return permissionRules(subject.kind).map(({ setting }) => setting).filter((setting) =>
    listGrants(subject, setting).some((grant) => grant.by === source && changed.includes(grant.setting))
  );
}

function withValues<T extends { readonly permissions: GroupRecord["permissions"] }>(
  owner: T,
  values: GroupRecord["permissions"],
): T {
  return { ...owner, permissions: { ...owner.permissions, ...values } };
}

function withSubjectValues(
  subject: PermissionSubject,
  values: GroupRecord["permissions"],
): PermissionSubject {
  return subject.kind === "channel"
    ? { kind: "channel", owner: withValues(subject.owner, values) }
    : { kind: subject.kind, owner: withValues(subject.owner, values) };
}

/** An object whose permissions name a group. */
export interface GroupUser {
  /** Null for a channel that the user cannot see. */
  readonly subject: PermissionSubject | null;
  readonly kind: PermissionOwner;
  readonly settings: readonly string[];
  readonly path: string;
  /** Name of the object; empty for the organization. */
  readonly name: string;
}

/** Lists the objects whose permissions name a group or one that contains it; one more than are checked. */
async function listUses(
  request: AdminRequest,
  permissions: PermissionContext,
  groupId: number,
): Promise<readonly GroupUser[]> {
  const found = new Map<string, GroupUser>();
  for (const id of transitiveSupergroups(permissions, groupId)) {
    for (const objection of await listDeactivationObjections(request.chat, permissions, id)) {
      if (objection.type === "subgroup" || found.size > MAX_USES) continue;
      const use = await toGroupUser(request, permissions, objection);
      if (use.subject === null) continue;
      const affected = listAffected(use.subject, use.settings);
      const settings = new Set([...found.get(use.path)?.settings ?? [], ...affected]);
      found.set(use.path, { ...use, settings: [...settings] });
    }
  }
  return [...found.values()];
}

/** Returns the object that prevents the deactivation of a group, because its permissions name it. */
export async function toGroupUser(
  request: AdminRequest,
  permissions: PermissionContext,
  objection: Exclude<DeactivationObjection, { readonly type: "subgroup" }>,
): Promise<GroupUser> {
  const { settings } = objection;
  switch (objection.type) {
    case "realm": {
      const subject = { kind: "realm", owner: permissions.realm } as const;
      return { subject, settings, kind: subject.kind, path: "/admin/organization/permissions", name: "" };
    }
    case "user_group": {
      const id = objection.group_id;
      const owner = permissions.groups.get(id);
      const subject = owner === undefined ? null : { kind: "user_group", owner } as const;
      const name = owner?.name ?? String(id);
      return { subject, settings, kind: "user_group", path: `/admin/groups/${id}`, name };
    }
    case "channel": {
      const id = objection.channel_id;
      const owner = (await readVisibleChannel(request, id))?.channel;
      const subject = owner === undefined ? null : { kind: "channel", owner } as const;
      const name = owner === undefined ? request.t(HIDDEN_CHANNEL) : `#${owner.name}`;
      return { subject, settings, kind: "channel", path: `/admin/channels/${id}`, name };
    }
  }
}
