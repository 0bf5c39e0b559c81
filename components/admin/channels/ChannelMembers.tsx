import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelData } from "@/lib/admin/channels/channel_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { type FormState, formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";
import { Pagination } from "../Pagination.tsx";
import { PeopleField } from "../people/PeopleField.tsx";
import { SelectablePerson } from "../people/SelectablePerson.tsx";

/** Renders a channel's subscribers: a field that adds people and groups, and checkboxes that remove subscribers. */
export function ChannelMembers({ data, refused }: AdminPageData<ChannelData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const date = formatter.date(data.madeAt);
  const { madeBy, isArchived, members } = data;
  return (
    <section aria-labelledby="subscribers-title">
      <h2 id="subscribers-title" class="mb-3">{text.subscribersTitle}</h2>
      {members.people.length === 0
        ? <p class="mb-5 text-soft">{text.noSubscribers}</p>
        : <MemberForm data={data} refused={refused} />}
      {!isArchived && <AddMembers state={formState(refused, "add_members")} />}
      <p class="mt-6 text-small text-soft">
        {madeBy === null
          ? formatter.t(text.madeOn, { date })
          : formatter.t(text.madeBy, { name: madeBy, date })}
      </p>
    </section>
  );
}

function MemberForm({ data, refused }: AdminPageData<ChannelData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  const { members: { people, count, isFirst, next }, isArchived } = data;
  const state = formState(refused, "remove_members");
  const toPath = (query: string) => `/admin/channels/${data.id}${query}#subscribers-title`;
  const isLong = !isFirst || next !== null;
  return (
    <div class="mb-6">
      <form method="post" data-guard>
        <input type="hidden" name="action" value="remove_members" />
        <FormProblem problem={state.problem("form")} margin="mb-4" />
        <ul class="gap-x-6 border-y border-rule py-2 sm:columns-2 md:columns-3">
          {people.map((person) => (
            <SelectablePerson key={person.id} person={person} state={isArchived ? null : state} />
          ))}
        </ul>
        {!isArchived && isLong && (
          <div class="mt-4 max-w-[40rem]">
            <PeopleField state={state} name="others" label={text.removeOthers} takesGroups />
          </div>
        )}
        {!isArchived && <button type="submit" class={`${QUIET_BUTTON} mt-4`}>{text.removeChosen}</button>}
      </form>
      {isLong && (
        <Pagination
          label={text.subscribersTitle}
          range={formatter.t(text.membersShown, { shown: people.length, count })}
          previous={isFirst ? null : toPath("")}
          next={next === null ? null : toPath(`?members=${next}`)}
          isEmpty={false}
        />
      )}
    </div>
  );
}

function AddMembers({ state }: { state: FormState }) {
  const { messages } = useAdmin();
  const text = messages.channels;
  return (
    <form method="post" class="grid max-w-[40rem] gap-3" data-guard>
      <input type="hidden" name="action" value="add_members" />
      <FormProblem problem={state.problem("form")} margin="mb-4" />
      <PeopleField
        state={state}
        name="members"
        label={text.addMembers}
        hint={text.addMembersHint}
        takesGroups
      />
      <div>
        <button type="submit" class={QUIET_BUTTON}>{text.addMembers}</button>
      </div>
    </form>
  );
}
