import { useAdmin } from "@/components/admin/admin_view.ts";
import { FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { ExplainedPermissions } from "@/lib/admin/permissions/ExplainedPermissions.tsx";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { EXPLAINED_USER } from "@/lib/admin/events/shown_events.ts";
import { explainPerson } from "@/lib/admin/permissions/explain_permissions.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { readNamed } from "./user_data.ts";
import { listOf } from "./users.tsx";

async function loadUserPermissions(request: AdminRequest) {
  const { query } = request;
  const user = await readNamed(request);
  if (user === null) return null;
  const channels = await listShownChannels(request);
  const channel = channels.find(({ id }) => String(id) === query.get("channel")) ?? null;
  const setting = query.get("permission") ?? "";
  const person = await explainPerson(request, user, { channelId: channel?.id ?? null, setting });
  const isKnown = person.choices.some((choice) => choice.setting === setting);
  return { person, channels, channel, setting: isKnown ? setting : "" };
}

export const userPermissionsPage = adminPage({
  path: "/admin/users/[id]/permissions",
  load: loadUserPermissions,
  title: ({ person: { user: { full_name: name } } }, t) => t("Permissions of {name}", { name }),
  lede: ({ person: { user: { full_name: name } } }, t) =>
    t("Everything that {name} can do, and why.", { name }),
  above: ({ person: { user } }, _, messages) => [
    listOf(user, messages),
    { path: `/admin/users/${user.id}`, name: user.full_name },
  ],
  shows: EXPLAINED_USER,
  view: ({ data: { person, channels, channel, setting } }) => {
    const { t } = useAdmin();
    const where = new Map([
      ["", t("In the organization")],
      ...channels.map(({ id, name }): [string, string] => [String(id), `#${name}`]),
    ]);
    const settings = new Map([
      ["", t("All permissions")],
      ...person.choices.map(({ setting, label }): [string, string] => [setting, label]),
    ]);
    return (
      <>
        <FilterForm
          clearPath={channel === null && setting === "" ? null : `/admin/users/${person.user.id}/permissions`}
          button={t("Show")}
        >
          <FilterSelect name="channel" label={t("Where")} value={String(channel?.id ?? "")} choices={where} />
          <FilterSelect name="permission" label={t("Permission")} value={setting} choices={settings} />
        </FilterForm>
        <ExplainedPermissions person={person} />
      </>
    );
  },
});
