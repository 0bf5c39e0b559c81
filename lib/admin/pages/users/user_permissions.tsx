import { useAdmin } from "@/components/admin/admin_view.ts";
import { FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { ExplainedPermissions } from "@/lib/admin/permissions/ExplainedPermissions.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { EXPLAINED_USER } from "@/lib/admin/events/shown_events.ts";
import { explainPerson } from "@/lib/admin/permissions/explain_permissions.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { getNamed } from "./user_data.ts";
import { aboveUser } from "./users.tsx";

export const userPermissionsPage = adminPage({
  path: "/admin/users/[id]/permissions",
  load: async (request) => {
    const { query } = request;
    const channels = await listShownChannels(request);
    const channel = channels.find(({ id }) => String(id) === query.get("channel")) ?? null;
    const asked = query.get("permission") ?? "";
    const scope = { channelId: channel?.id ?? null, setting: asked };
    const person = await explainPerson(request, await getNamed(request), scope);
    const setting = person.choices.some((choice) => choice.setting === asked) ? asked : "";
    return { person, channels, channel, setting };
  },
  title: ({ person: { user } }, t) => t("Permissions of {name}", { name: user.full_name }),
  lede: ({ person: { user } }, t) => t("Everything that {name} can do, and why.", { name: user.full_name }),
  above: ({ person: { user } }, t) => aboveUser(user, t),
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
