import { deactivateGroup, updateGroup } from "@/lib/chat/user_groups/change_group.ts";
import type { GroupRecord } from "@/lib/chat/user_groups/model/group.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import {
  hasPermission,
  hasRealmPermission,
  type PermissionContext,
} from "@/lib/chat/permissions/model/membership.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { countMembers, type MemberCount } from "./group_counts.ts";
import { GROUP_LIMITS, listGroupChoices, nameOfGroup, readGroupForm } from "./group_form.ts";
import { addGroup, addPeople, removeGroup, removePeople } from "./group_member_forms.ts";
import { type MembersPage, readMembersPage } from "./group_members.ts";
import { findImpact } from "./group_impact.ts";
import { explainGroup } from "./group_refusals.ts";
import { type GroupUse, listGroupUses } from "./group_uses.ts";
import type { FormFields } from "../form_fields.ts";
import {
  loadPermissions,
  type PermissionGroup,
  readPermissionFields,
  type ShownPermission,
} from "../permissions/permission_values.ts";
import { impactActions } from "../permissions/impact_preview.ts";
import { requireRevision, revisionOf } from "../revision.ts";

/** Data of a group's page. */
export interface GroupData extends MemberCount {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isDeactivated: boolean;
  /** Whether the administrator may change all of its settings. */
  readonly canManage: boolean;
  readonly members: MembersPage;
  /** Subgroups of the group. */
  readonly inside: readonly (PermissionGroup & { readonly path: string | null })[];
  /** Groups that can be added to it. */
  readonly choices: readonly PermissionGroup[];
  readonly uses: readonly GroupUse[];
  readonly permissions: readonly ShownPermission[];
  readonly limits: typeof GROUP_LIMITS;
  readonly seen: string;
}

/** The page of a group: name, members, permissions and uses. */
export const groupPage: AdminPageSpec<GroupData> = {
  load: loadGroup,
  actions: {
    save: { run: save },
    permissions: { run: savePermissions },
    add_people: { run: addPeople },
    remove_people: { run: removePeople },
    add_group: { run: addGroup },
    remove_group: { run: removeGroup },
    reactivate: { run: reactivate },
    ...impactActions(findImpact),
  },
};

/** The page that confirms deactivating a group, or lists what must be changed first. */
export const deactivateGroupPage: AdminPageSpec<GroupData> = {
  load: loadGroup,
  actions: { deactivate: { run: deactivate } },
};

async function loadGroup(request: AdminRequest): Promise<GroupData | null> {
  const permissions = await peekPermissionContext(request.chat, request.realm);
  const group = permissions.groups.get(pathId(request));
  if (group === undefined) return null;
  const [counts, members, uses, shown] = await Promise.all([
    countMembers(request, permissions, [group]),
    readMembersPage(request, group),
    listGroupUses(request, permissions, group.id),
    loadPermissions(request, { kind: "user_group", owner: group }),
  ]);
  return {
    ...(counts.get(group.id) ?? { direct: 0, all: 0 }),
    ...{ members, uses, permissions: shown, limits: GROUP_LIMITS },
    ...{ id: group.id, name: group.name, description: group.description },
    isDeactivated: group.deactivated,
    canManage: canManage(request, permissions, group),
    inside: group.subgroups.map((id) => toInside(request, permissions, id)),
    choices: listGroupChoices(request, permissions, [group.id, ...group.subgroups]),
    seen: revisionOf(textsOf(group)),
  };
}

function canManage({ user }: AdminRequest, permissions: PermissionContext, group: GroupRecord): boolean {
  return hasRealmPermission(permissions, "can_manage_all_groups", user) ||
    hasPermission(permissions, { kind: "user_group", setting: "can_manage_group", owner: group }, user);
}

function toInside(request: AdminRequest, permissions: PermissionContext, id: number) {
  return {
    id,
    name: nameOfGroup(request, permissions, id),
    path: permissions.groups.has(id) ? `/admin/groups/${id}` : null,
  };
}

function textsOf({ name, description }: GroupRecord) {
  return [name, description];
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const groupId = pathId(request);
  const stored = (await peekPermissionContext(chat, realm)).groups.get(groupId);
  if (stored !== undefined) requireRevision(request, fields, textsOf(stored));
  const wanted = readGroupForm(request, fields);
  // Blanks around an older name stay until the name is changed.
  const name = wanted.name === stored?.name.trim() ? stored.name : wanted.name;
  const changes = { ...wanted, name, deactivated: undefined, permissions: {} };
  await explainGroup(request, () => updateGroup(chat, caller, { groupId, changes }));
  return { flash: formatter.t(messages.groups.saved, { name }) };
}

async function savePermissions(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const permissions = await readPermissionFields(request, fields, "user_group");
  const changes = { name: undefined, description: undefined, deactivated: undefined, permissions };
  if (Object.keys(permissions).length > 0) {
    await explainGroup(request, () => updateGroup(chat, caller, { groupId: pathId(request), changes }));
  }
  return { flash: formatter.t(messages.groups.savedPermissions, { name: await currentName(request) }) };
}

async function reactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const changes = { name: undefined, description: undefined, deactivated: false, permissions: {} };
  await updateGroup(chat, caller, { groupId: pathId(request), changes });
  return { flash: formatter.t(messages.groups.reactivated, { name: await currentName(request) }) };
}

async function deactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const groupId = pathId(request);
  await explainGroup(request, () => deactivateGroup(chat, caller, groupId));
  const name = await currentName(request);
  const to = `/admin/groups/${groupId}`;
  const undo = { path: to, fields: { action: "reactivate" } };
  return { flash: formatter.t(messages.groups.deactivated, { name }), to, undo };
}

async function currentName(request: AdminRequest): Promise<string> {
  return nameOfGroup(request, await peekPermissionContext(request.chat, request.realm), pathId(request));
}
