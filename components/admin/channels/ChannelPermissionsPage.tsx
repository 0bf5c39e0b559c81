import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ChannelPermissionsData } from "@/lib/admin/channels/channel_permissions_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { SelectField } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { PeopleField } from "../people/PeopleField.tsx";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { ExplainedPermissions } from "../permissions/ExplainedPermissions.tsx";

/** Renders the page that explains what a person can do in a channel. */
export function ChannelPermissionsPage({ data }: AdminPageData<ChannelPermissionsData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.permissions.explain;
  const name = `#${data.name}`;
  return (
    <>
      <AdminHeading
        title={formatter.t(text.channelTitle, { name })}
        lede={text.channelLede}
        above={[
          { path: "/admin/channels", name: messages.channels.title },
          { path: `/admin/channels/${data.id}`, name },
        ]}
      />
      <PersonForm data={data} />
      {data.person !== null && (
        <section aria-labelledby="person-title">
          <h2 id="person-title" class="mb-3">
            <bdi>{data.person.name}</bdi>
          </h2>
          <ExplainedPermissions person={data.person} />
        </section>
      )}
      <PeopleSearch />
    </>
  );
}

function PersonForm({ data: { asked, setting, choices } }: { data: ChannelPermissionsData }) {
  const { messages } = useAdmin();
  const text = messages.permissions.explain;
  const settings = [
    { value: "", label: text.all },
    ...choices.map(({ setting, label }) => ({ value: setting, label })),
  ];
  return (
    <form role="search" class="mb-8 grid max-w-[40rem] gap-4">
      <PeopleField state={formState(asked, "explain")} name="person" label={text.person} rows={1} />
      <SelectField
        state={formState(null, "explain")}
        name="permission"
        label={text.permission}
        stored={setting}
        choices={settings}
      />
      <div>
        <button type="submit" class={QUIET_BUTTON}>{text.show}</button>
      </div>
    </form>
  );
}
