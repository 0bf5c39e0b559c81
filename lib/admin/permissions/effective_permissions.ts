import { type GrantingChannel, listChannelGrants } from "@/lib/chat/organization/channels/model/access.ts";
import { byRealm, type PermissionGrant } from "@/lib/chat/organization/permissions/model/grants.ts";
import type { GroupSetting } from "@/lib/chat/organization/permissions/model/group_setting.ts";
import {
  type HasPermissions,
  type PermissionContext,
  permissionValue,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionRule } from "@/lib/chat/organization/permissions/model/registry.ts";
import {
  isSystemGroupMember,
  SYSTEM_GROUPS,
  systemGroupId,
  type SystemGroupName,
  systemGroupName,
} from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { listGroupGrants } from "@/lib/chat/organization/user_groups/model/rules.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import { describePermission, ROLE_GROUP_NAMES } from "./group_names.ts";

/** Sources of permissions. */
const SOURCES = {
  always: "by a built-in rule",
  public: "because the channel is public",
  web: "because the channel is open to the web",
  own: { realm: "in the organization", channel: "in this channel", user_group: "in this group" },
  limited: {
    one: "{source}, for {count} day after a message is sent, moderators at any time",
    other: "{source}, for {count} days after a message is sent, moderators at any time",
  },
};

/** Users who have a permission, and where that is decided. */
export interface EffectivePart {
  /** Description of the users. */
  readonly users: string;
  /** Empty when nothing but the value on the form decides. */
  readonly source: string;
}

/** The organization, a channel or a group, or what a new one would be. */
export type PermissionSubject =
  | { readonly kind: "realm"; readonly owner: HasPermissions }
  | { readonly kind: "channel"; readonly owner: GrantingChannel }
  | { readonly kind: "user_group"; readonly owner: HasPermissions };

/** A permission of a subject, and the active users that the subject and the organization name. */
interface DescribedPermission {
  readonly permissions: PermissionContext;
  readonly subject: PermissionSubject;
  readonly setting: string;
  readonly users: ReadonlyMap<number, UserRecord>;
}

/** A grant with the users that it includes. */
interface GrantValue {
  readonly grant: PermissionGrant;
  readonly value: GroupSetting;
  readonly named: readonly UserRecord[];
  /** The system group that it consists of, or null. */
  readonly role: SystemGroupName | null;
}

/** Returns the grants of a permission, by which the actions of its subject decide. */
export function listGrants(subject: PermissionSubject, setting: string): readonly PermissionGrant[] {
  if (subject.kind === "realm") return [byRealm(setting)];
  return subject.kind === "channel" ? listChannelGrants(subject.owner, setting) : listGroupGrants(setting);
}

/** Describes who has a permission: one part for each grant that adds users to the others. */
export function describeEffective(
  request: AdminRequest,
  described: DescribedPermission,
): readonly EffectivePart[] {
  const { permissions, subject, setting } = described;
  const values = listGrants(subject, setting).map((grant) => toGrantValue(described, grant))
    .filter((one) => !isEmpty(one));
  const shown = values.filter((one, at) =>
    !values.some((other, index) =>
      index !== at && covers(permissions, { ...other, isFirst: index < at }, one)
    )
  );
  if (shown.length === 0) {
    return [{ users: request.t(ROLE_GROUP_NAMES["role:nobody"]), source: "" }];
  }
  const isAlone = listGrants(subject, setting).length === 1;
  return shown.map(({ grant, value, named }) => ({
    users: describePermission(request, { permissions, value, users: named }),
    source: isAlone ? "" : describeSource(request, described, grant),
  }));
}

function toGrantValue(
  { permissions, subject, users }: DescribedPermission,
  grant: PermissionGrant,
): GrantValue {
  const { realm } = permissions;
  if (grant.by === "rule") {
    return { grant, value: systemGroupId(realm, grant.group), named: [], role: grant.group };
  }
  const [kind, owner] = grant.by === "realm" ? ["realm" as const, realm] : [subject.kind, subject.owner];
  const value = permissionValue(permissions, owner, permissionRule(kind, grant.setting));
  if (typeof value === "number") return { grant, value, named: [], role: systemGroupName(realm, value) };
  return { grant, value, named: value.direct_members.flatMap((id) => users.get(id) ?? []), role: null };
}

function isEmpty({ role, value, named }: GrantValue): boolean {
  if (role !== null) return role === "role:nobody";
  return typeof value !== "number" && named.length + value.direct_subgroups.length === 0;
}

/** Whether all users of a grant surely have another one; of two equal grants the first is kept. */
function covers(
  permissions: PermissionContext,
  { grant, role, isFirst }: GrantValue & { readonly isFirst: boolean },
  one: GrantValue,
): boolean {
  if (grant.limitSeconds !== undefined || role === null) return false;
  if (one.role !== null) {
    const difference = rankOf(role) - rankOf(one.role);
    return difference > 0 || difference === 0 && (isFirst || one.grant.limitSeconds !== undefined);
  }
  if (rankOf(role) >= rankOf("role:everyone")) return true;
  if (typeof one.value === "number" || one.value.direct_subgroups.length > 0) return false;
  return one.named.every((user) => isSystemGroupMember(role, user, permissions));
}

function rankOf(role: SystemGroupName): number {
  return SYSTEM_GROUPS.findIndex(({ name }) => name === role);
}

/** Describes what decides a grant: a permission of the organization or the subject, or a built-in rule. */
export function describeSource(
  { t }: Pick<AdminRequest, "t">,
  { subject, setting }: Pick<DescribedPermission, "subject" | "setting">,
  grant: PermissionGrant,
): string {
  if (grant.by === "rule") return t(SOURCES[grant.reason]);
  const kind = grant.by === "realm" ? "realm" : subject.kind;
  const label = t(permissionRule(kind, grant.setting).label);
  if (grant.by === "realm") {
    const source = t("by the organization’s permission “{label}”", { label });
    return grant.limitSeconds === undefined
      ? source
      : t(SOURCES.limited, { source, count: grant.limitSeconds / 86_400 });
  }
  return grant.setting === setting ? t(SOURCES.own[subject.kind]) : t("by “{label}”", { label });
}
