import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupData } from "@/lib/admin/groups/group_page.ts";
import { QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { ActionButton } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { FormProblem } from "../FormProblem.tsx";
import { ImpactSection, toEditedForm } from "../permissions/ImpactSection.tsx";
import { formState } from "../form_state.ts";
import { Link } from "../../Link.tsx";

/** Renders a group's subgroups, with controls to add and remove them. */
export function Subgroups({ data, refused }: AdminPageData<GroupData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const remove = formState(refused, "remove_group");
  return (
    <section aria-labelledby="inside-title" class="mb-10">
      <h2 id="inside-title">{text.insideTitle}</h2>
      <p class="mt-1 mb-4 text-small text-soft">
        {data.inside.length === 0 ? text.noneInside : text.groupsInsideHint}
      </p>
      <FormProblem problem={remove.problem("form")} margin="mb-4" />
      {data.inside.length > 0 && (
        <ul class="mb-4 border-t border-rule">
          {data.inside.map(({ id, name, path }) => (
            <li
              key={id}
              class="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b border-rule"
            >
              <bdi class="min-w-0 break-words">
                {path === null ? name : <Link class="link font-medium" href={path}>{name}</Link>}
              </bdi>
              <ActionButton
                action="remove_group"
                fields={{ group: String(id) }}
                label={formatter.t(text.removeGroupOf, { inner: name })}
              >
                {text.removeGroup}
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <AddGroup data={data} refused={refused} />
    </section>
  );
}

function AddGroup({ data, refused }: AdminPageData<GroupData>) {
  const { messages } = useAdmin();
  const text = messages.groups;
  const state = formState(toEditedForm(refused), "add_group");
  const problem = state.problem("group") ?? state.problem("form");
  return (
    <form method="post" class="flex max-w-[40rem] flex-wrap items-end gap-3">
      <input type="hidden" name="action" value="add_group" />
      <label class="grid min-w-0 flex-[1_1_14rem] gap-y-1.5">
        <span class="text-small font-strong">{text.addGroup}</span>
        <select
          name="group"
          class={TEXT_FIELD}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : "add-group-problem"}
        >
          {data.choices.map(({ id, name }) => (
            <option key={id} value={String(id)} selected={state.value("group") === String(id)}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit" class={QUIET_BUTTON}>{text.addGroupButton}</button>
      <ImpactSection action="add_group" refused={refused} />
      {problem !== undefined && (
        <p id="add-group-problem" role="alert" class="basis-full text-small font-medium text-accent">
          {problem}
        </p>
      )}
    </form>
  );
}
