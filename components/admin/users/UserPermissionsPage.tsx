import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserPermissionsData } from "@/lib/admin/users/user_permissions_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { FilterForm, FilterSelect } from "../FilterForm.tsx";
import { ExplainedPermissions } from "../permissions/ExplainedPermissions.tsx";

/** Renders the page that explains an account's permissions. */
export function UserPermissionsPage({ data }: AdminPageData<UserPermissionsData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.permissions.explain;
  const { id, person, channels, channel, setting } = data;
  const name = person.name;
  const where = new Map([
    ["", text.organization],
    ...channels.map(({ id, name }): [string, string] => [String(id), `#${name}`]),
  ]);
  const settings = new Map([
    ["", text.all],
    ...person.choices.map(({ setting, label }): [string, string] => [setting, label]),
  ]);
  return (
    <>
      <AdminHeading
        title={formatter.t(text.userTitle, { name })}
        lede={formatter.t(text.userLede, { name })}
        above={[
          { path: "/admin/users", name: messages.users.title },
          { path: `/admin/users/${id}`, name },
        ]}
      />
      <FilterForm
        clearPath={channel === "" && setting === "" ? null : `/admin/users/${id}/permissions`}
        button={text.show}
      >
        <FilterSelect name="channel" label={text.where} value={channel} choices={where} />
        <FilterSelect name="permission" label={text.permission} value={setting} choices={settings} />
      </FilterForm>
      <ExplainedPermissions person={person} />
    </>
  );
}
