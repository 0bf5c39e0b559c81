import { compareNames } from "@/lib/core/text.ts";
import { AppError } from "@/lib/core/errors.ts";
import {
  type GroupSetting,
  type GroupSettingUpdate,
  sortedUnique,
} from "@/lib/chat/organization/permissions/model/group_setting.ts";
import { MAX_DIRECT_MEMBERS } from "@/lib/chat/organization/permissions/store.ts";
import {
  type HasPermissions,
  type PermissionContext,
  toWirePermissions,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import {
  isPermission,
  type PermissionOwner,
  type PermissionRule,
  permissionRules,
  PERMISSIONS,
  shownPermissionRules,
} from "@/lib/chat/organization/permissions/model/registry.ts";
import { SYSTEM_GROUPS, systemGroupId } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "../admin_request.ts";
import { FormRefusal, OutdatedForm, readAll } from "../admin_page.ts";
import {
  choiceFieldOf,
  CUSTOM,
  idsInLines,
  isSamePicked,
  linesOf,
  permissionFields,
  type PickedPermission,
  readWas,
} from "@/lib/ui/permission_fields.ts";
import type { FormFields } from "../form_fields.ts";
import { findGroups, findPeople, toPeopleText } from "../people/find_people.ts";
import { describeEffective, listGrants, type PermissionSubject } from "./effective_permissions.ts";
import { describePermission, type PermissionGroup, ROLE_GROUP_NAMES } from "./group_names.ts";

/**
 * A permission on a form. A page's `load` adds `permissions: await loadPermissions(request, …)`
 * to its data (`loadNewPermissions(request, "channel")` for a new record), and the page renders a
 * `PermissionList` or a `PermissionPicker`. The action reads `await readPermissionFields(request, fields,
 * "realm")` and calls the domain inside `explainPermissions(request, …)`, which assigns refusals to the
 * fields.
 */
export type ShownPermission = ReturnType<typeof toOne>;

const PICK_SOMETHING = "Choose at least one group or person.";
/** Maximum number of groups listed for each permission; others are typed. */
const MAX_LISTED_GROUPS = 25;

/** Loads every permission of an owner in the order of the registry, for a form. */
export async function loadPermissions(
  request: AdminRequest,
  subject: PermissionSubject,
): Promise<readonly ShownPermission[]> {
  const permissions = await request.readPermissions();
  const users = await readNamedUsers(request, [subject.owner, permissions.realm]);
  const values = toWirePermissions(permissions, subject, (id) => users.get(id)?.is_active === true);
  return toShown(request, { permissions, users, values, subject });
}

/** Loads the initial permissions of a new record, for a form. */
export async function loadNewPermissions(
  request: AdminRequest,
  kind: Exclude<PermissionOwner, "realm">,
): Promise<readonly ShownPermission[]> {
  const permissions = await request.readPermissions();
  const mine = { direct_members: [request.user.id], direct_subgroups: [] };
  const values = Object.fromEntries(
    permissionRules(kind).map(({ setting, defaultGroup }) => [
      setting,
      defaultGroup === "creator" ? mine : systemGroupId(permissions.realm, defaultGroup),
    ]),
  );
  const users = await readNamedUsers(request, [{ permissions: values }, permissions.realm]);
  const owner = { permissions: values, invite_only: false, is_web_public: false };
  return toShown(request, { permissions, users, values, subject: { kind, owner } });
}

/** Reads the active users that the permissions of the owners name. */
export async function readNamedUsers(
  { chat, realm }: AdminRequest,
  owners: readonly HasPermissions[],
): Promise<ReadonlyMap<number, UserRecord>> {
  const ids = owners.flatMap(({ permissions }) => Object.values(permissions)).flatMap((value) =>
    typeof value === "number" ? [] : value.direct_members
  );
  const users = await Promise.all([...new Set(ids)].map((id) => readUser(chat, realm.id, id)));
  return new Map(users.flatMap((user) => user?.is_active === true ? [[user.id, user]] : []));
}

interface Showing {
  readonly permissions: PermissionContext;
  readonly users: ReadonlyMap<number, UserRecord>;
  readonly values: Readonly<Record<string, GroupSetting>>;
  readonly subject: PermissionSubject;
}

function toShown(request: AdminRequest, showing: Showing): readonly ShownPermission[] {
  const { permissions, values, subject: { kind } } = showing;
  const groups = [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ id, name })).sort((one, other) => compareNames(one.name, other.name));
  return shownPermissionRules(kind).flatMap((rule) => {
    const value = values[rule.setting];
    return value === undefined ? [] : [toOne(request, showing, { rule, value, groups })];
  });
}

function toOne(
  request: AdminRequest,
  { permissions, users, subject }: Showing,
  { rule, value, groups }: { rule: PermissionRule; value: GroupSetting; groups: readonly PermissionGroup[] },
) {
  const { setting, owner: kind } = rule;
  const named = typeof value === "number" ? [] : value.direct_members.flatMap((id) => users.get(id) ?? []);
  const takesCustom = rule.allowedGroups === undefined;
  const chosen = typeof value === "number" ? [value] : value.direct_subgroups;
  const listed = groups.filter(({ id }, at) => at < MAX_LISTED_GROUPS || chosen.includes(id));
  return {
    ...{ kind, setting, value, takesCustom },
    label: request.t(rule.label),
    help: request.t(rule.help),
    /** Values of its fields. */
    picked: pickedOf(value, named),
    /** Description of the value. */
    holders: describePermission(request, { permissions, value, users: named }),
    /** The users who have the permission, by grant. */
    effective: describeEffective(request, { permissions, subject, setting, users }),
    /** Whether others than those of the value have the permission too. */
    isAdditional: listGrants(subject, setting).length > 1,
    /** Roles that can be chosen. */
    roles: rolesFor(request, rule, chosen),
    /** Groups that can be chosen; none where only roles are allowed. */
    groups: takesCustom ? listed : [],
    /** Whether there are more groups than listed. */
    hasMoreGroups: takesCustom && listed.length < groups.length,
  };
}

/** Lists the roles that a permission allows and those that it has. */
function rolesFor(
  { realm, t }: AdminRequest,
  { rejectedGroups, allowedGroups }: PermissionRule,
  chosen: readonly number[],
): readonly PermissionGroup[] {
  return SYSTEM_GROUPS.map(({ name }) => ({ role: name, id: systemGroupId(realm, name) }))
    .filter(({ role, id }) => {
      const isTaken = allowedGroups === undefined
        ? !rejectedGroups.includes(role)
        : allowedGroups.includes(role);
      return (isTaken && role !== "role:internet") || chosen.includes(id);
    })
    .map(({ role, id }) => ({ id, name: t(ROLE_GROUP_NAMES[role]) }));
}

/**
 * Reads the change of a permission from a form, with the value that the form showed; undefined when it is
 * unchanged or missing.
 * @throws FormRefusal at the permission's fields.
 */
async function readPermissionField(
  request: AdminRequest,
  fields: FormFields,
  setting: string,
): Promise<GroupSettingUpdate | undefined> {
  const names = permissionFields(setting);
  const group = fields.text(names.group);
  if (group === "") return undefined;
  const was = readWas(setting, (name) => fields.text(name));
  if (was === null) throw new OutdatedForm(request);
  const picked = { group, groups: fields.ints(names.groups), people: fields.text(names.people) };
  if (isSamePicked(picked, was)) return undefined;
  if (group !== CUSTOM) {
    const id = fields.int(names.group);
    if (id === null) throw new FormRefusal({ [setting]: request.t(PICK_SOMETHING) });
    return { new: id, old: toValue(was) };
  }
  const chosen = fields.ints(choiceFieldOf(names.people));
  return { new: await readCustom(request, setting, { ...picked, chosen }), old: toValue(was) };
}

/** Converts field values to a value; the fields name users by name and id. */
function toValue({ group, groups, people }: PickedPermission): GroupSetting {
  return group === CUSTOM ? { direct_members: idsInLines(people), direct_subgroups: groups } : Number(group);
}

function pickedOf(value: GroupSetting, users: readonly UserRecord[]): PickedPermission {
  if (typeof value === "number") return { group: String(value), groups: [], people: "" };
  return { group: CUSTOM, groups: value.direct_subgroups, people: toPeopleText(users) };
}

async function readCustom(
  request: AdminRequest,
  setting: string,
  picked: { readonly groups: readonly number[]; readonly people: string; readonly chosen: readonly number[] },
): Promise<GroupSetting> {
  const { people: field } = permissionFields(setting);
  const lines = linesOf(picked.people);
  const byName = await findGroups(request, lines.filter((line) => line.startsWith("@")), field);
  const text = lines.filter((line) => !line.startsWith("@")).join("\n");
  const people = await findPeople(request, { text, chosen: picked.chosen }, field);
  if (people.length > MAX_DIRECT_MEMBERS) {
    const problem = request.t("Enter no more than {count} people.", { count: MAX_DIRECT_MEMBERS });
    throw new FormRefusal({ [field]: problem });
  }
  const direct_subgroups = sortedUnique([...picked.groups, ...byName]);
  if (people.length + direct_subgroups.length === 0) {
    throw new FormRefusal({ [setting]: request.t(PICK_SOMETHING) });
  }
  return { direct_members: sortedUnique(people.map(({ id }) => id)), direct_subgroups };
}

/**
 * Reads all changes of an owner's permissions from a form, by setting, without unchanged ones.
 * @throws FormRefusal with the problems of all fields.
 */
export async function readPermissionFields(
  request: AdminRequest,
  fields: FormFields,
  kind: PermissionOwner,
): Promise<Readonly<Record<string, GroupSettingUpdate>>> {
  const updates = await readAll(
    PERMISSIONS[kind],
    (_, setting) => readPermissionField(request, fields, setting),
  );
  return Object.fromEntries(
    Object.entries(updates).flatMap(([setting, update]) => update === undefined ? [] : [[setting, update]]),
  );
}

/**
 * Runs a change of permissions and assigns refusals of values to their fields.
 * @throws FormRefusal, and whatever else `work` throws.
 */
export async function explainPermissions<T>(request: AdminRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "EXPECTATION_MISMATCH") throw new OutdatedForm(request);
    const setting = error.field;
    if (setting === null || !isPermission(setting)) throw error;
    const isRoleMissing = error.code === "SYSTEM_GROUP_REQUIRED";
    throw new FormRefusal({
      [setting]: request.t(isRoleMissing ? "Choose a role." : "Choose one of the listed options."),
    });
  }
}
