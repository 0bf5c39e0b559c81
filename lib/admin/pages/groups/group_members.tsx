import { GONE } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EDIT_FIELD, useFormState } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { editMembers, type MemberEdits } from "@/lib/chat/organization/user_groups/edit_members.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import {
  type GroupPermission,
  hasGroupPermission,
  requireSubgroups,
  withMembers,
  withoutMembers,
  withSubgroups,
} from "@/lib/chat/organization/user_groups/model/rules.ts";
import {
  type PermissionContext,
  transitiveSubgroups,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { record, rendered } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { listGroupChoices, nameOfGroup } from "@/lib/admin/permissions/group_names.ts";
import { declareMembers, readMemberPage } from "../members.tsx";

const texts = {
  choose: "Choose a group.",
  alreadyInside: "{inner} is already a subgroup of {name}.",
  circle: "{inner} already contains {name}, directly or through a subgroup. A group cannot contain itself.",
};

type MemberData = Awaited<ReturnType<typeof loadMembers>>;

/** Loads the subgroups and a page of the direct members of a group, and what the user may change about them. */
export async function loadMembers(request: AdminRequest, permissions: PermissionContext, group: GroupRecord) {
  const { id, subgroups } = group;
  const has = (setting: GroupPermission) =>
    hasGroupPermission(permissions, group, { user: request.user, setting });
  return {
    ...{ group, members: await readMemberPage(request, group.members) },
    inside: subgroups.map((id) => ({
      ...{ id, name: nameOfGroup(request, permissions, id) },
      // Roles have no page.
      path: permissions.groups.has(id) ? `/admin/groups/${id}` : null,
    })),
    /** Groups that can be added. */
    choices: listGroupChoices(request, permissions, { except: [id, ...subgroups] }),
    canManage: has("can_manage_group"),
    canAdd: has("can_add_members_group"),
    canRemove: has("can_remove_members_group"),
  };
}

/**
 * Returns the group in the path.
 * @throws AppError NOT_FOUND.
 */
export async function getGroup(request: AdminRequest): Promise<GroupRecord> {
  const group = (await request.readPermissions()).groups.get(pathId(request));
  if (group === undefined) throw new AppError("NOT_FOUND", request.t(GONE));
  return group;
}

/** The direct members of the group in the path. */
export const members = declareMembers({
  noun: "people",
  texts: {
    title: "Members",
    range: { one: "{from} of {count} member", other: "{from}–{to} of {count} members" },
    empty: "This group has no direct members.",
    add: "Add members",
    remove: "Remove selected members",
    added: { one: "{count} person added to {name}.", other: "{count} people added to {name}." },
    nobodyNamed: "Enter at least one person.",
    nobodyNew: "All of these people are already members of this group.",
    nobodySelected: "Select at least one person.",
  },
  takesGroups: false,
  hasImpact: true,
  read: getGroup,
  change: (request, { kind, ids }) => edit(request, kind === "add" ? { add: ids } : { delete: ids }),
});

async function edit(request: AdminRequest, edits: Partial<MemberEdits>): Promise<void> {
  const nothing = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };
  const groupId = pathId(request);
  await editMembers(request.chat, request.caller, { groupId, edits: { ...nothing, ...edits } });
}

const addGroup = form({
  action: "add_group",
  button: "Add subgroup",
  fields: { group: record({ label: "Add a subgroup", missing: texts.choose }) },
  refusedAt: "group",
  check: async ({ group: id }, request) => {
    const permissions = await request.readPermissions();
    const group = await getGroup(request);
    const isCircle = transitiveSubgroups(permissions, [id]).has(group.id);
    const phrase = isCircle ? texts.circle : texts.alreadyInside;
    return isCircle || group.subgroups.includes(id)
      ? { group: request.t(phrase, { inner: nameOfGroup(request, permissions, id), name: group.name }) }
      : {};
  },
  run: async (request, { group: id }) => {
    await edit(request, { add_subgroups: [id] });
    return { flash: await toFlash(request, id, "{inner} added to {name}.") };
  },
});

const removeGroup = form({
  action: "remove_group",
  fields: { group: rendered((submitted, name) => submitted.int(name) ?? 0) },
  run: async (request, { group: id }) => {
    await edit(request, { delete_subgroups: [id] });
    return { flash: await toFlash(request, id, "{inner} removed from {name}.") };
  },
});

async function toFlash(request: AdminRequest, innerId: number, phrase: string): Promise<string> {
  const { name } = await getGroup(request);
  return request.t(phrase, { inner: nameOfGroup(request, await request.readPermissions(), innerId), name });
}

/** Returns the group as one of the forms below would change it; null for another form. */
export async function readMemberChange(
  request: AdminRequest,
  fields: FormFields,
  group: GroupRecord,
): Promise<GroupRecord | null> {
  switch (fields.text(EDIT_FIELD)) {
    case members.add.action:
      return withMembers(group, await members.add.readIds(request, fields, group.members));
    case members.remove.action:
      return withoutMembers(group, await members.remove.readIds(request, fields, group.members));
    case addGroup.action: {
      const permissions = await request.readPermissions();
      const id = fields.int("group");
      if (id === null) throw new FormRefusal({ group: request.t(texts.choose) });
      requireSubgroups(permissions, [id]);
      return withSubgroups(group, [id], permissions);
    }
    default:
      return null;
  }
}

export const memberForms = [members.add, members.remove, addGroup, removeGroup];

export function Subgroups({ data: { inside, choices, canAdd, canRemove } }: { data: MemberData }) {
  const { t } = useAdmin();
  return (
    <section aria-labelledby="inside-title" class="mb-10">
      <h2 id="inside-title">{t("Subgroups")}</h2>
      <p class={inside.length === 0 ? "mt-3 mb-5 text-soft" : "mt-1 mb-4 text-small text-soft"}>
        {inside.length === 0
          ? t("This group has no subgroups.")
          : t("Their members also belong to this group.")}
      </p>
      <FormProblem problem={useFormState(removeGroup).problem("form")} margin="mb-4" />
      {inside.length > 0 && (
        <ul class="mb-4 border-t border-rule">
          {inside.map(({ id, name, path }) => (
            <li
              key={id}
              class="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b border-rule"
            >
              <bdi class="min-w-0 break-words">
                <PossibleLink path={path} look="font-medium">{name}</PossibleLink>
              </bdi>
              {canRemove && (
                <ActionButton
                  action={removeGroup.action}
                  fields={{ group: String(id) }}
                  label={t("Remove {inner} from this group", { inner: name })}
                >
                  {t("Remove")}
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {canAdd && (
        <div class="max-w-[40rem]">
          <Form
            of={addGroup}
            options={{ group: choices }}
            look={QUIET_BUTTON}
            beside={<ImpactSection action={addGroup.action} />}
          />
        </div>
      )}
    </section>
  );
}
