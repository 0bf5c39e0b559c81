import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { NewGroupData } from "@/lib/admin/groups/group_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckList } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { CreatePage } from "../permissions/CreatePage.tsx";
import { PeopleField } from "../people/PeopleField.tsx";
import { GroupFields } from "./GroupFields.tsx";

/** Renders the form that creates a group. */
export function NewGroupPage({ data, refused }: AdminPageData<NewGroupData>) {
  const { messages } = useAdmin();
  const text = messages.groups;
  const state = formState(refused, "create");
  return (
    <CreatePage
      list={{ path: "/admin/groups", name: text.title }}
      text={text}
      state={state}
      permissions={data.permissions}
    >
      <GroupFields state={state} limits={data.limits} />
      <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <PeopleField state={state} name="people" label={text.people} rows={6} />
        <CheckList
          state={state}
          name="groups"
          label={text.groupsInside}
          hint={text.groupsInsideHint}
          empty={text.noOthers}
          choices={data.groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </div>
    </CreatePage>
  );
}
