import { PEOPLE_HINT } from "@/components/admin/people/PeopleField.tsx";
import { GONE } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState } from "@/components/admin/form_state.ts";
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
import type { Phrase } from "@/lib/ui/formatter.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { record, rendered } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { listGroupChoices, nameOfGroup } from "@/lib/admin/permissions/group_names.ts";
import { MemberSection } from "../member_section.tsx";
import { readPeople } from "@/lib/admin/shown_people.ts";

const PAGE_SIZE = 100;

const texts = {
  choose: "Choose a group.",
  membersRange: { one: "{from} of {count} member", other: "{from}–{to} of {count} members" },
  added: { one: "{count} person added to {name}.", other: "{count} people added to {name}." },
  removed: { one: "{count} person removed from {name}.", other: "{count} people removed from {name}." },
  alreadyInside: "{inner} is already a subgroup of {name}.",
  circle: "{inner} already contains {name}, directly or through a subgroup. A group cannot contain itself.",
};

type MemberData = Awaited<ReturnType<typeof loadMembers>>;

/** Loads the subgroups of a group, and the page of its direct members that the URL asks for with `members`. */
export async function loadMembers(request: AdminRequest, permissions: PermissionContext, group: GroupRecord) {
  const { id, members, subgroups } = group;
  const asked = request.query.get("members") ?? "";
  const wanted = /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 1;
  const page = Math.min(wanted, Math.max(1, Math.ceil(members.length / PAGE_SIZE)));
  const from = (page - 1) * PAGE_SIZE;
  const has = (setting: GroupPermission) =>
    hasGroupPermission(permissions, group, { user: request.user, setting });
  return {
    ...{ group, from, page, hasMore: from + PAGE_SIZE < members.length },
    people: await readPeople(request, members.slice(from, from + PAGE_SIZE)),
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

/**
 * Reads the ids of the users whom a form adds to a group.
 * @throws FormRefusal.
 */
async function readAdded(request: AdminRequest, fields: FormFields, group: GroupRecord) {
  const people = await findPeople(request, readPeopleInput(fields, "people"), "people");
  if (people.length === 0) throw new FormRefusal({ people: request.t("Enter at least one person.") });
  const members = new Set(group.members);
  const ids = people.map(({ id }) => id).filter((id) => !members.has(id));
  if (ids.length === 0) {
    throw new FormRefusal({ people: request.t("All of these people are already members of this group.") });
  }
  return ids;
}

/**
 * Reads the ids of the users whom a form selects or names to remove them from a group.
 * @throws FormRefusal.
 */
async function readRemoved(request: AdminRequest, fields: FormFields, group: GroupRecord) {
  const named = await findPeople(request, readPeopleInput(fields, "others"), "others");
  const members = new Set(group.members);
  const stranger = named.find(({ id }) => !members.has(id));
  if (stranger !== undefined) {
    const { full_name: name } = stranger;
    throw new FormRefusal({ others: request.t("{name} is not a direct member of this group.", { name }) });
  }
  // A member whom another administrator removed meanwhile needs no removal.
  const ticked = fields.ints("member").filter((id) => members.has(id));
  const ids = [...new Set([...ticked, ...named.map(({ id }) => id)])];
  if (ids.length === 0) throw new FormRefusal({ form: request.t("Select at least one person.") });
  return ids;
}

async function edit(request: AdminRequest, edits: Partial<MemberEdits>): Promise<void> {
  const nothing = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };
  const groupId = pathId(request);
  await editMembers(request.chat, request.caller, { groupId, edits: { ...nothing, ...edits } });
}

function peopleForm(action: string, list: "add" | "delete", read: typeof readAdded, done: Phrase) {
  return form({
    action,
    run: async (request, _, submitted) => {
      const { t, ctx: { url } } = request;
      const group = await getGroup(request);
      const ids = await read(request, submitted, group);
      await edit(request, { [list]: ids });
      // The next people can be entered at once.
      const to = `${url.pathname}${url.search}#people`;
      return { flash: t(done, { count: ids.length, name: group.name }), to };
    },
  });
}

const addPeople = peopleForm("add_people", "add", readAdded, texts.added);
const removePeople = peopleForm("remove_people", "delete", readRemoved, texts.removed);

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

/** The group as each of the forms would change it, by the form's action. */
export const MEMBER_CHANGES: Readonly<
  Record<string, (request: AdminRequest, fields: FormFields, group: GroupRecord) => Promise<GroupRecord>>
> = {
  [addPeople.action]: async (request, fields, group) =>
    withMembers(group, await readAdded(request, fields, group)),
  [removePeople.action]: async (request, fields, group) =>
    withoutMembers(group, await readRemoved(request, fields, group)),
  [addGroup.action]: async (request, fields, group) => {
    const permissions = await request.readPermissions();
    const id = fields.int("group");
    if (id === null) throw new FormRefusal({ group: request.t(texts.choose) });
    requireSubgroups(permissions, [id]);
    return withSubgroups(group, [id], permissions);
  },
};

export const memberForms = [addPeople, removePeople, addGroup, removeGroup];

/** Renders a group's direct members: a field that adds users by name, and checkboxes that remove them. */
export function GroupMembers({ data }: { data: MemberData }) {
  const { group: { id, members }, canAdd, canRemove, people, from, page, hasMore } = data;
  const { t } = useAdmin();
  const toPath = (page: number) => `/admin/groups/${id}?members=${page}`;
  const range = { from: from + 1, to: from + people.length, count: members.length };
  const add = { action: addPeople.action, name: "people", label: t("Add members"), button: t("Add members") };
  const remove = {
    ...{ action: removePeople.action, name: "others", label: t("Remove others") },
    hint: `${t("For members who are not listed here.")} ${t(PEOPLE_HINT)}`,
    button: t("Remove selected members"),
  };
  return (
    <section aria-labelledby="members-title" class="mb-10">
      <MemberSection
        title={t("Members")}
        id="members-title"
        empty={t("This group has no direct members.")}
        people={people}
        pages={page === 1 && !hasMore ? null : {
          range: t(texts.membersRange, range),
          previous: page > 1 ? toPath(page - 1) : null,
          next: hasMore ? toPath(page + 1) : null,
        }}
        add={canAdd ? add : null}
        remove={canRemove ? remove : null}
        hasImpact
      />
    </section>
  );
}

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
