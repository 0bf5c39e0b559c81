import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { NewGroupData } from "@/lib/admin/group_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CheckList, TextArea } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { PermissionDetails } from "../permissions/PermissionPicker.tsx";
import { GroupFields } from "./GroupFields.tsx";

const ABOVE = "/admin/groups";

/** Makes a group. */
export function NewGroupPage({ data, refused }: AdminPageData<NewGroupData>) {
  const { words } = useAdmin();
  const text = words.groups;
  const state = formState(refused, "create");
  return (
    <>
      <AdminHeading title={text.newTitle} lede={text.newLede} above={[{ path: ABOVE, name: text.title }]} />
      <AdminForm
        state={state}
        button={text.create}
        beside={<a class="link inline-flex min-h-11 items-center" href={ABOVE}>{words.common.cancel}</a>}
      >
        <div class="mb-3 grid gap-6">
          <GroupFields state={state} limits={data.limits} />
          <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
            <TextArea
              state={state}
              name="people"
              label={text.people}
              rows={6}
              hint={words.permissions.peopleHint}
            />
            <CheckList
              state={state}
              name="groups"
              label={text.groupsInside}
              hint={text.groupsInsideHint}
              empty={text.noOthers}
              choices={data.groups.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </div>
          <PermissionDetails state={state} permissions={data.permissions} hint={text.permissionsHint} />
        </div>
      </AdminForm>
    </>
  );
}
