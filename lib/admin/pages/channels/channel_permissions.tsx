import { shownPermissionRules } from "@/lib/chat/organization/permissions/model/registry.ts";
import { SelectField } from "@/components/admin/fields.tsx";
import { formState, type RefusedForm } from "@/components/admin/form_state.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { ExplainedPermissions } from "@/lib/admin/permissions/ExplainedPermissions.tsx";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { EXPLAINED_CHANNEL } from "@/lib/admin/events/shown_events.ts";
import { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { explainPerson, READ } from "@/lib/admin/permissions/explain_permissions.ts";
import { readVisibleChannel } from "@/lib/admin/shown_people.ts";
import { channelsPage } from "./channels.tsx";

/** Field for the person. */
const PERSON = "person";

type Data = NonNullable<Awaited<ReturnType<typeof loadChannelPermissions>>>;

async function loadChannelPermissions(request: AdminRequest) {
  const { query, t } = request;
  const viewer = await readVisibleChannel(request, pathId(request));
  if (viewer === null) return null;
  const { channel } = viewer;
  const { asked, user } = await findPerson(request);
  const setting = query.get("permission") ?? "";
  const choices = [
    { value: READ, label: t("Read messages") },
    ...shownPermissionRules("channel").map(({ setting, label }) => ({ value: setting, label: t(label) })),
  ];
  return {
    ...{ channel, asked, choices },
    person: user && await explainPerson(request, user, { channelId: channel.id, setting }),
    setting: choices.some(({ value }) => value === setting) ? setting : "",
  };
}

/** Finds the person that the query names; with the problem of a name that means no one or several. */
async function findPerson(
  request: AdminRequest,
): Promise<{ asked: RefusedForm | null; user: UserRecord | null }> {
  const fields = new FormFields(request.query);
  if (fields.text(PERSON).trim() === "") return { asked: null, user: null };
  const asked = { action: "explain", typed: fields.typed(), problems: {} };
  try {
    const [user = null, ...others] = await findPeople(request, readPeopleInput(fields, PERSON), PERSON);
    if (others.length === 0) return { asked, user };
    return { asked: { ...asked, problems: { [PERSON]: request.t("Enter one person.") } }, user: null };
  } catch (error) {
    if (!(error instanceof FormRefusal)) throw error;
    return { asked: { ...asked, problems: error.problems, choices: error.choices }, user: null };
  }
}

export const channelPermissionsPage = adminPage({
  path: "/admin/channels/[id]/permissions",
  title: ({ channel }, t) => t("Permissions in {name}", { name: `#${channel.name}` }),
  lede: "Choose a person to see what they can do in this channel, and why.",
  above: ({ channel: { id, name } }) => [channelsPage, { path: `/admin/channels/${id}`, name: `#${name}` }],
  shows: EXPLAINED_CHANNEL,
  load: loadChannelPermissions,
  view: ({ data }) => (
    <>
      <PersonForm data={data} />
      {data.person !== null && (
        <section aria-labelledby="person-title">
          <h2 id="person-title" class="mb-3">
            <bdi>{data.person.user.full_name}</bdi>
          </h2>
          <ExplainedPermissions person={data.person} />
        </section>
      )}
      <PeopleSearch />
    </>
  ),
});

function PersonForm({ data: { asked, setting, choices } }: { data: Data }) {
  const { t } = useAdmin();
  return (
    <form role="search" class="mb-8 grid max-w-[40rem] gap-4">
      <PeopleField state={formState(asked, "explain")} name="person" label={t("Person")} rows={1} />
      <SelectField
        state={formState(null, "explain")}
        name="permission"
        label={t("Permission")}
        stored={setting}
        choices={[{ value: "", label: t("All permissions") }, ...choices]}
      />
      <div>
        <button type="submit" class={QUIET_BUTTON}>{t("Show")}</button>
      </div>
    </form>
  );
}
