import { deactivateGroup } from "@/lib/chat/user_groups/deactivate.ts";
import { updateGroup } from "@/lib/chat/user_groups/update.ts";
import type { GroupRecord } from "@/lib/chat/permissions/group.ts";
import { peekPermissionContext, type PermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { mayInRealm, mayWith } from "@/lib/chat/permissions/membership.ts";
import type { AdminPageSpec, Done } from "./admin_page.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import { countMembers, type MemberCount } from "./group_counts.ts";
import { GROUP_LIMITS, listGroupChoices, nameOfGroup, readGroupForm } from "./group_form.ts";
import { addGroup, addPeople, removeGroup, removePeople } from "./group_member_forms.ts";
import { type MembersPage, readMembersPage } from "./group_members.ts";
import { explainGroup } from "./group_refusals.ts";
import { type GroupUse, listGroupUses } from "./group_uses.ts";
import type { FormFields } from "./form_fields.ts";
import {
  loadPermissions,
  type PermissionGroup,
  readPermissionFields,
  type ShownPermission,
} from "./permission_values.ts";
import { requireRevision, revisionOf } from "./seen.ts";

/** What the page of one group shows. */
export interface GroupData extends MemberCount {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isDeactivated: boolean;
  /** Whether the administrator may change everything about it. */
  readonly canManage: boolean;
  readonly members: MembersPage;
  /** The groups in it. */
  readonly inside: readonly (PermissionGroup & { readonly path: string | null })[];
  /** The groups that can be put into it. */
  readonly choices: readonly PermissionGroup[];
  readonly uses: readonly GroupUse[];
  readonly permissions: readonly ShownPermission[];
  readonly limits: typeof GROUP_LIMITS;
  readonly seen: string;
}

/** The page of one group: what it is called, who is in it, who may do what with it, and where it is used. */
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
  },
};

/** The page that asks before a group is deactivated, or says what has to be changed first. */
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
    loadPermissions(request, "user_group", group),
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
  return mayInRealm(permissions, "can_manage_all_groups", user) ||
    mayWith(permissions, { kind: "user_group", setting: "can_manage_group", owner: group }, user);
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
  const { chat, realm, caller, speech, words } = request;
  const groupId = pathId(request);
  const stored = (await peekPermissionContext(chat, realm)).groups.get(groupId);
  if (stored !== undefined) requireRevision(request, fields, textsOf(stored));
  const wanted = readGroupForm(request, fields);
  // Blanks around a name that was made otherwise stay while nobody changes the name.
  const name = wanted.name === stored?.name.trim() ? stored.name : wanted.name;
  const changes = { ...wanted, name, deactivated: undefined, permissions: {} };
  await explainGroup(request, () => updateGroup(chat, caller, { groupId, changes }));
  return { said: speech.say(words.groups.saved, { name }) };
}

async function savePermissions(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const permissions = await readPermissionFields(request, fields, "user_group");
  const changes = { name: undefined, description: undefined, deactivated: undefined, permissions };
  if (Object.keys(permissions).length > 0) {
    await explainGroup(request, () => updateGroup(chat, caller, { groupId: pathId(request), changes }));
  }
  return { said: speech.say(words.groups.savedPermissions, { name: await currentName(request) }) };
}

async function reactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const changes = { name: undefined, description: undefined, deactivated: false, permissions: {} };
  await updateGroup(chat, caller, { groupId: pathId(request), changes });
  return { said: speech.say(words.groups.reactivated, { name: await currentName(request) }) };
}

async function deactivate(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const groupId = pathId(request);
  await explainGroup(request, () => deactivateGroup(chat, caller, groupId));
  const name = await currentName(request);
  return { said: speech.say(words.groups.deactivated, { name }), to: `/admin/groups/${groupId}` };
}

async function currentName(request: AdminRequest): Promise<string> {
  return nameOfGroup(request, await peekPermissionContext(request.chat, request.realm), pathId(request));
}
