import { SelectField } from "@/components/admin/fields.tsx";
import { formState } from "@/components/admin/form_state.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { ExplainedPermissions } from "@/components/admin/permissions/ExplainedPermissions.tsx";
import { hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { choiceFieldOf } from "@/lib/ui/permission_fields.ts";
import { FormRefusal, type RefusedForm } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { EXPLAINED_CHANNEL } from "@/lib/admin/events/shown_events.ts";
import { findPeople } from "@/lib/admin/people/find_people.ts";
import { explainPerson } from "@/lib/admin/permissions/explain_permissions.ts";
import { channelsPage } from "./channels.tsx";

/** Field for the person. */
const PERSON = "person";

type Data = NonNullable<Awaited<ReturnType<typeof loadChannelPermissions>>>;

async function loadChannelPermissions(request: AdminRequest) {
  const { chat, realm, user, query, messages } = request;
  const reads = { get: chat.reads.read };
  const channelId = pathId(request);
  const viewer = await readChannelViewer(reads, { realmId: realm.id, channelId, user });
  const permissions = await request.readPermissions();
  if (viewer === null || !hasMetadataAccess(permissions, viewer)) return null;
  const { asked, userId } = await findPerson(request);
  const setting = query.get("permission") ?? "";
  const named = messages.permissions.settings.channel;
  const choices = [
    { setting: "read", label: messages.permissions.explain.read },
    ...Object.entries(named).map(([setting, { label }]) => ({ setting, label })),
  ];
  return {
    id: channelId,
    name: viewer.channel.name,
    asked,
    person: userId === null ? null : await explainPerson(request, { userId, channelId, setting }),
    choices,
    setting: choices.some((choice) => choice.setting === setting) ? setting : "",
  };
}

/** Finds the person that the query names; with the problem of a name that means no one or several. */
async function findPerson(
  request: AdminRequest,
): Promise<{ asked: RefusedForm | null; userId: number | null }> {
  const { query } = request;
  const text = (query.get(PERSON) ?? "").trim();
  if (text === "") return { asked: null, userId: null };
  const chosen = query.getAll(choiceFieldOf(PERSON)).map(Number).filter(Number.isSafeInteger);
  const asked = { action: "explain", typed: { [PERSON]: [text] } };
  try {
    const [person, ...others] = await findPeople(request, { text, chosen }, PERSON);
    const problems = others.length > 0 ? { [PERSON]: request.t("Enter one person.") } : {};
    return { asked: { ...asked, problems }, userId: others.length > 0 ? null : person?.id ?? null };
  } catch (error) {
    if (!(error instanceof FormRefusal)) throw error;
    return { asked: { ...asked, problems: error.problems, choices: error.choices }, userId: null };
  }
}

/** The page that explains what a person can do in a channel. */
export const channelPermissionsPage = adminPage({
  path: "/admin/channels/[id]/permissions",
  title: ({ name }, t) => t("Permissions in {name}", { name: `#${name}` }),
  lede: "Choose a person to see what they can do in this channel, and why.",
  above: ({ id, name }) => [channelsPage, { path: `/admin/channels/${id}`, name: `#${name}` }],
  shows: EXPLAINED_CHANNEL,
  load: loadChannelPermissions,
  view: ({ data }) => (
    <>
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
  ),
});

function PersonForm({ data: { asked, setting, choices } }: { data: Data }) {
  const { t, messages } = useAdmin();
  const text = messages.permissions.explain;
  const settings = [
    { value: "", label: text.all },
    ...choices.map(({ setting, label }) => ({ value: setting, label })),
  ];
  return (
    <form role="search" class="mb-8 grid max-w-[40rem] gap-4">
      <PeopleField state={formState(asked, "explain")} name="person" label={t("Person")} rows={1} />
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
