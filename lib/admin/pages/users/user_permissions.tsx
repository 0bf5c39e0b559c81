import { useAdmin } from "@/components/admin/admin_view.ts";
import { FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { ExplainedPermissions } from "@/components/admin/permissions/ExplainedPermissions.tsx";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { EXPLAINED_USER } from "@/lib/admin/events/shown_events.ts";
import { explainPerson } from "@/lib/admin/permissions/explain_permissions.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { usersPage } from "./users.tsx";

async function loadUserPermissions(request: AdminRequest) {
  const { chat, realm, query } = request;
  const user = await readUser(chat, realm.id, pathId(request));
  if (user === null || user.is_system_bot === true) return null;
  const asked = query.get("channel") ?? "";
  const channels = await listShownChannels(request);
  const chosen = channels.find(({ id }) => String(id) === asked);
  const setting = query.get("permission") ?? "";
  const person = await explainPerson(request, { userId: user.id, channelId: chosen?.id ?? null, setting });
  if (person === null) return null;
  return {
    id: user.id,
    person,
    channels: channels.map(({ id, name }) => ({ id, name })),
    channel: chosen === undefined ? "" : String(chosen.id),
    setting: person.choices.some((choice) => choice.setting === setting) ? setting : "",
  };
}

/** The page that explains an account's permissions. */
export const userPermissionsPage = adminPage({
  path: "/admin/users/[id]/permissions",
  load: loadUserPermissions,
  title: ({ person: { name } }, t) => t("Permissions of {name}", { name }),
  lede: ({ person: { name } }, t) => t("Everything that {name} can do, and why.", { name }),
  above: ({ id, person: { name } }) => [usersPage, { path: `/admin/users/${id}`, name }],
  shows: EXPLAINED_USER,
  view: ({ data: { id, person, channels, channel, setting } }) => {
    const text = useAdmin().messages.permissions.explain;
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
  },
});
