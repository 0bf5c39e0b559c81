import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ShownPerson } from "@/lib/admin/shown_people.ts";
import type { GroupData } from "@/lib/admin/group_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { TextArea } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { FormProblem } from "../permissions/FormProblem.tsx";
import { ListPages } from "../permissions/ListPages.tsx";

/** Who is in a group itself: put people in by name, take out those who are ticked. */
export function GroupMembers({ data, refused }: AdminPageData<GroupData>) {
  const { words } = useAdmin();
  const text = words.groups;
  return (
    <section aria-labelledby="members-title" class="mb-10">
      <h2 id="members-title" class="mb-3">{text.membersTitle}</h2>
      {data.members.count === 0
        ? <p class="mb-5 text-soft">{text.noMembers}</p>
        : <MemberForm data={data} refused={refused} />}
      <AddPeople state={formState(refused, "add_people")} />
    </section>
  );
}

function MemberForm({ data: { id, members }, refused }: AdminPageData<GroupData>) {
  const { words, speech } = useAdmin();
  const text = words.groups;
  const state = formState(refused, "remove_people");
  const toPath = (page: number) => `/admin/groups/${id}?members=${page}#members-title`;
  const { from, people, count, page, hasMore } = members;
  const isLong = page > 1 || hasMore;
  return (
    <div class="mb-6">
      <form method="post" data-guard>
        <input type="hidden" name="action" value="remove_people" />
        <FormProblem state={state} />
        <ul class="gap-x-6 border-y border-rule py-2 sm:columns-2 md:columns-3">
          {people.map((person) => <Member key={person.id} person={person} state={state} />)}
        </ul>
        {isLong && (
          <div class="mt-4 max-w-[40rem]">
            <TextArea
              state={state}
              name="others"
              label={text.removeOthers}
              rows={2}
              hint={`${text.removeOthersHint} ${words.permissions.peopleHint}`}
            />
          </div>
        )}
        <button type="submit" class={`${QUIET_BUTTON} mt-4`}>{text.removeChosen}</button>
      </form>
      {isLong && (
        <ListPages
          label={text.membersTitle}
          range={speech.say(text.membersRange, { from: from + 1, to: from + people.length, count })}
          previous={page > 1 ? toPath(page - 1) : null}
          next={hasMore ? toPath(page + 1) : null}
          isEmpty={false}
        />
      )}
    </div>
  );
}

/** Accounts that are not active stay as they are: nobody can take them out. */
function Member({ person: { id, name, isActive }, state }: { person: ShownPerson; state: FormState }) {
  const { words, speech } = useAdmin();
  return (
    <li class="flex min-w-0 min-h-9 break-inside-avoid items-center gap-2.5">
      <input
        type="checkbox"
        name="member"
        value={String(id)}
        defaultChecked={state.holds("member", String(id), [])}
        disabled={!isActive}
        aria-label={speech.say(words.groups.tick, { name })}
        class="size-5 flex-none accent-ink"
      />
      <a class="link min-w-0 break-words" href={`/admin/users/${id}`}>
        <bdi>{name}</bdi>
      </a>
      {!isActive && <span class="text-small text-soft">{words.permissions.deactivated}</span>}
    </li>
  );
}

function AddPeople({ state }: { state: FormState }) {
  const { words } = useAdmin();
  const text = words.groups;
  return (
    <form method="post" class="grid max-w-[40rem] gap-3" data-guard>
      <input type="hidden" name="action" value="add_people" />
      <FormProblem state={state} />
      <TextArea
        state={state}
        name="people"
        label={text.addTitle}
        rows={2}
        hint={words.permissions.peopleHint}
      />
      <div>
        <button type="submit" class={QUIET_BUTTON}>{text.addTitle}</button>
      </div>
    </form>
  );
}
