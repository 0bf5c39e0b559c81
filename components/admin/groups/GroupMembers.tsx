import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupData } from "@/lib/admin/groups/group_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { type FormState, formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";
import { PeopleField } from "../people/PeopleField.tsx";
import { SelectablePerson } from "../people/SelectablePerson.tsx";
import { ImpactSection, toEditedForm } from "../permissions/ImpactSection.tsx";
import { Pagination } from "../Pagination.tsx";

/** Renders a group's direct members: a field that adds users by name, and checkboxes that remove them. */
export function GroupMembers({ data, refused }: AdminPageData<GroupData>) {
  const { messages } = useAdmin();
  const text = messages.groups;
  return (
    <section aria-labelledby="members-title" class="mb-10">
      <h2 id="members-title" class="mb-3">{text.membersTitle}</h2>
      {data.members.count === 0
        ? <p class="mb-5 text-soft">{text.noMembers}</p>
        : <MemberForm data={data} refused={refused} />}
      <AddPeople refused={refused} />
    </section>
  );
}

function MemberForm({ data: { id, members }, refused }: AdminPageData<GroupData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const state = formState(toEditedForm(refused), "remove_people");
  const toPath = (page: number) => `/admin/groups/${id}?members=${page}#members-title`;
  const { from, people, count, page, hasMore } = members;
  const isLong = page > 1 || hasMore;
  return (
    <div class="mb-6">
      <form method="post" data-guard>
        <input type="hidden" name="action" value="remove_people" />
        <FormProblem problem={state.problem("form")} margin="mb-4" />
        <ul class="gap-x-6 border-y border-rule py-2 sm:columns-2 md:columns-3">
          {people.map((person) => <SelectablePerson key={person.id} person={person} state={state} />)}
        </ul>
        {isLong && <OtherMembers state={state} />}
        <div class="mt-4 flex flex-wrap gap-x-5 gap-y-2">
          <button type="submit" class={QUIET_BUTTON}>{text.removeChosen}</button>
          <ImpactSection action="remove_people" refused={refused} />
        </div>
      </form>
      {isLong && (
        <Pagination
          label={text.membersTitle}
          range={formatter.t(text.membersRange, { from: from + 1, to: from + people.length, count })}
          previous={page > 1 ? toPath(page - 1) : null}
          next={hasMore ? toPath(page + 1) : null}
          isEmpty={false}
        />
      )}
    </div>
  );
}

/** Renders the field for members on other pages of the list. */
function OtherMembers({ state }: { state: FormState }) {
  const { messages } = useAdmin();
  const { removeOthers, removeOthersHint } = messages.groups;
  return (
    <div class="mt-4 max-w-[40rem]">
      <PeopleField
        state={state}
        name="others"
        label={removeOthers}
        hint={`${removeOthersHint} ${messages.permissions.peopleHint}`}
      />
    </div>
  );
}

function AddPeople({ refused }: Pick<AdminPageData<GroupData>, "refused">) {
  const { messages } = useAdmin();
  const state = formState(toEditedForm(refused), "add_people");
  const text = messages.groups;
  return (
    <form method="post" class="grid max-w-[40rem] gap-3" data-guard>
      <input type="hidden" name="action" value="add_people" />
      <FormProblem problem={state.problem("form")} margin="mb-4" />
      <PeopleField state={state} name="people" label={text.addTitle} />
      <div class="flex flex-wrap gap-x-5 gap-y-2">
        <button type="submit" class={QUIET_BUTTON}>{text.addTitle}</button>
        <ImpactSection action="add_people" refused={refused} />
      </div>
    </form>
  );
}
