import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { editMembers, type MemberEdits } from "@/lib/chat/organization/user_groups/edit_members.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { record } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { nameOfGroup, type PermissionGroup } from "@/lib/admin/permissions/group_names.ts";
import { MemberSection } from "../member_section.tsx";
import { readPeople } from "@/lib/admin/shown_people.ts";

const PAGE_SIZE = 100;

const texts = {
  membersRange: { one: "{from} of {count} member", other: "{from}–{to} of {count} members" },
  added: { one: "{count} person added to {name}.", other: "{count} people added to {name}." },
  removed: { one: "{count} person removed from {name}.", other: "{count} people removed from {name}." },
  circle: "{inner} already contains {name}, directly or through a subgroup. A group cannot contain itself.",
};

/** Problem of a form that names no group to add. */
export const CHOOSE_GROUP = "Choose a group.";

/** A page of a group's members. */
type MembersPage = Awaited<ReturnType<typeof readMembersPage>>;

/** Reads the page of a group's members that the URL asks for with `members`. */
export async function readMembersPage(request: AdminRequest, { members }: GroupRecord) {
  const asked = request.query.get("members") ?? "";
  const wanted = /^[1-9]\d{0,6}$/.test(asked) ? Number(asked) : 1;
  const page = Math.min(wanted, Math.max(1, Math.ceil(members.length / PAGE_SIZE)));
  const from = (page - 1) * PAGE_SIZE;
  const people = await readPeople(request, members.slice(from, from + PAGE_SIZE));
  return { people, count: members.length, from, page, hasMore: from + PAGE_SIZE < members.length };
}

/**
 * Reads the users whom a form adds to the page's group.
 * @throws FormRefusal.
 */
export async function readAdded(request: AdminRequest, fields: FormFields) {
  const people = await findPeople(request, readPeopleInput(fields, "people"), "people");
  if (people.length === 0) throw new FormRefusal({ people: request.t("Enter at least one person.") });
  const { members, name } = await readGroup(request);
  const ids = people.map(({ id }) => id).filter((id) => !members.has(id));
  if (ids.length === 0) {
    throw new FormRefusal({ people: request.t("All of these people are already members of this group.") });
  }
  return { ids, name };
}

/**
 * Reads the users whom a form selects or names to remove them from the page's group.
 * @throws FormRefusal.
 */
export async function readRemoved(request: AdminRequest, fields: FormFields) {
  const named = await findPeople(request, readPeopleInput(fields, "others"), "others");
  const { members, name } = await readGroup(request);
  const stranger = named.find(({ id }) => !members.has(id));
  if (stranger !== undefined) {
    throw new FormRefusal({
      others: request.t("{name} is not a direct member of this group.", { name: stranger.full_name }),
    });
  }
  // A member whom another administrator removed meanwhile needs no removal.
  const ticked = fields.ints("member").filter((id) => members.has(id));
  const ids = [...new Set([...ticked, ...named.map(({ id }) => id)])];
  if (ids.length === 0) throw new FormRefusal({ form: request.t("Select at least one person.") });
  return { ids, name };
}

async function readGroup(request: AdminRequest): Promise<{ members: ReadonlySet<number>; name: string }> {
  const group = (await request.readPermissions()).groups.get(
    pathId(request),
  );
  return { members: new Set(group?.members), name: group?.name ?? "" };
}

async function edit(request: AdminRequest, edits: Partial<MemberEdits>): Promise<void> {
  const nothing = { add: [], delete: [], add_subgroups: [], delete_subgroups: [] };
  const groupId = pathId(request);
  await editMembers(request.chat, request.caller, { groupId, edits: { ...nothing, ...edits } });
}

/** Returns the position of the field for members, so that the next people can be entered at once. */
function toField({ ctx: { url } }: AdminRequest): string {
  return `${url.pathname}${url.search}#people`;
}

async function namesOf(request: AdminRequest, inner: number): Promise<{ inner: string; name: string }> {
  const permissions = await request.readPermissions();
  return {
    inner: nameOfGroup(request, permissions, inner),
    name: nameOfGroup(request, permissions, pathId(request)),
  };
}

const addPeople = form({
  action: "add_people",
  run: async (request, _, submitted) => {
    const { ids: add, name } = await readAdded(request, submitted);
    await edit(request, { add });
    return { flash: request.t(texts.added, { count: add.length, name }), to: toField(request) };
  },
});

const removePeople = form({
  action: "remove_people",
  run: async (request, _, submitted) => {
    const { ids, name } = await readRemoved(request, submitted);
    await edit(request, { delete: ids });
    return { flash: request.t(texts.removed, { count: ids.length, name }), to: toField(request) };
  },
});

const addGroup = form({
  action: "add_group",
  button: "Add subgroup",
  fields: { group: record({ label: "Add a subgroup", missing: CHOOSE_GROUP }) },
  run: async (request, { group: id }) => {
    const names = await namesOf(request, id);
    try {
      await edit(request, { add_subgroups: [id] });
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "UNAVAILABLE") throw error;
      const isCircle = /already a subgroup of one of the passed/.test(error.message);
      const isInside = /already a subgroup of this group/.test(error.message);
      const phrase = isCircle ? texts.circle : isInside ? "{inner} is already a subgroup of {name}." : null;
      throw new FormRefusal({ group: phrase === null ? error.message : request.t(phrase, names) });
    }
    return { flash: request.t("{inner} added to {name}.", names) };
  },
});

const removeGroup = form({
  action: "remove_group",
  run: async (request, _, submitted) => {
    const id = submitted.int("group") ?? 0;
    const names = await namesOf(request, id);
    await edit(request, { delete_subgroups: [id] });
    return { flash: request.t("{inner} removed from {name}.", names) };
  },
});

export const memberForms = [addPeople, removePeople, addGroup, removeGroup];

interface GroupMembersProps {
  readonly data: {
    readonly id: number;
    readonly members: MembersPage;
    readonly canAdd: boolean;
    readonly canRemove: boolean;
  };
}

/** Renders a group's direct members: a field that adds users by name, and checkboxes that remove them. */
export function GroupMembers({ data: { id, members, canAdd, canRemove } }: GroupMembersProps) {
  const { from, people, count, page, hasMore } = members;
  const { t, messages } = useAdmin();
  const toPath = (page: number) => `/admin/groups/${id}?members=${page}#members-title`;
  const add = { name: "people", label: t("Add members"), button: t("Add members") };
  const remove = {
    ...{ name: "others", label: t("Remove others"), button: t("Remove selected members") },
    hint: `${t("For members who are not listed here.")} ${messages.permissions.peopleHint}`,
  };
  return (
    <section aria-labelledby="members-title" class="mb-10">
      <MemberSection
        title={t("Members")}
        id="members-title"
        empty={t("This group has no direct members.")}
        people={people}
        pages={page === 1 && !hasMore ? null : {
          range: t(texts.membersRange, { from: from + 1, to: from + people.length, count }),
          previous: page > 1 ? toPath(page - 1) : null,
          next: hasMore ? toPath(page + 1) : null,
        }}
        add={canAdd ? { action: addPeople.action, ...add } : null}
        remove={canRemove ? { action: removePeople.action, ...remove } : null}
        hasImpact
      />
    </section>
  );
}

interface SubgroupsProps {
  readonly data: {
    readonly inside: readonly (PermissionGroup & { readonly path: string | null })[];
    /** Groups that can be added. */
    readonly choices: readonly PermissionGroup[];
    readonly canAdd: boolean;
    readonly canRemove: boolean;
  };
}

export function Subgroups({ data: { inside, choices, canAdd, canRemove } }: SubgroupsProps) {
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
