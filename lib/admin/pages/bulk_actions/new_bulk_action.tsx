import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { SelectField } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { isOwner, ROLE, ROLES } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { record, rendered } from "@/lib/admin/declare/fields.tsx";
import { type Field, Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { usersPage } from "../users/users.tsx";
import { readSelection, SelectedNames } from "./confirm_bulk_action.tsx";

const texts = {
  title: { one: "Change {count} user", other: "Change {count} users" },
};

/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/** Changes that can be chosen, each with its label and the field that it needs. */
const KINDS = {
  set_role: ["Change role", "role"],
  add_to_group: ["Add to a group", "group"],
  subscribe: ["Add to a channel", "channel"],
  unsubscribe: ["Remove from a channel", "channel"],
  deactivate: ["Deactivate", null],
  reactivate: ["Reactivate", null],
} as const;
const PROBLEMS = { role: "Choose a role.", group: "Choose a group.", channel: "Choose a channel." };

/** A choice of a record that only some changes need. */
function neededRecord(label: string, empty: string): Field<number | null> {
  const { read, View } = record({ label, missing: "", empty });
  return { read, View };
}

const choose = form({
  action: "choose",
  button: "Continue",
  fields: {
    // Class names cannot contain underscores, so the values in the form have hyphens.
    what: rendered((submitted, name) => submitted.text(name).replaceAll("-", "_")),
    role: neededRecord("New role", ""),
    group: neededRecord("Group", "There are no groups yet. Create one first."),
    channel: neededRecord("Channel", "There are no channels yet. Create one first."),
  },
  run: ({ t, query }, { what, ...ids }) => {
    if (!isKind(what)) throw new FormRefusal({ what: t("Choose a change.") });
    const change = new URLSearchParams(query);
    change.set("what", what);
    const [, name] = KINDS[what];
    if (name !== null) {
      const id = ids[name];
      const isKnown = name !== "role" || ROLES.some((role) => role === id);
      if (id === null || !isKnown) throw new FormRefusal({ [name]: t(PROBLEMS[name]) });
      change.set("to", String(id));
    }
    return Promise.resolve({ flash: "", to: `/admin/bulk-actions/confirm?${change}` });
  },
});

function isKind(name: string): name is keyof typeof KINDS {
  return Object.hasOwn(KINDS, name);
}

export const newBulkActionPage = adminPage({
  path: "/admin/bulk-actions/new",
  load: async (request) => {
    const { groups } = await request.readPermissions();
    const active = [...groups.values()].filter(({ deactivated }) => !deactivated)
      .sort((one, other) => compareNames(one.name, other.name));
    return {
      users: await readSelection(request),
      groups: active.slice(0, MAX_CHOICES),
      channels: (await listShownChannels(request)).slice(0, MAX_CHOICES),
    };
  },
  // The list of deactivated users offers one change only.
  redirect: async (request) => {
    const isChosen = request.query.get("what") === "reactivate" && (await readSelection(request)).length > 0;
    return isChosen ? `/admin/bulk-actions/confirm?${request.query}` : null;
  },
  title: ({ users: { length: count } }, t) => t(count === 0 ? "Change users" : texts.title, { count }),
  lede: ({ users }) => users.length === 0 ? undefined : <SelectedNames users={users} />,
  above: [usersPage],
  forms: [choose],
  view: ({ data: { users, groups, channels } }) => {
    const { t, user: viewer } = useTexts(null);
    const state = useFormState(choose);
    if (users.length === 0) {
      return (
        <EmptyState title={t("No users are selected.")}>
          {t("Select users in the list, then choose “Change selected”.")}{" "}
          <Link class="link" href={usersPage.path}>{t("Back to users")}</Link>
        </EmptyState>
      );
    }
    const hasActive = users.some(({ is_active }) => is_active);
    const kinds = Object.entries(KINDS).filter(([kind]) => (kind !== "reactivate") === hasActive);
    const roles = ROLES.filter((role) => isOwner(viewer) || role !== ROLE.owner)
      .map((id) => ({ id, name: t(ROLE_TITLES[id]) }));
    return (
      <Panel title={t(texts.title, { count: users.length })}>
        <Form
          of={choose}
          stored={{ role: ROLE.member }}
          options={{ role: roles, group: groups, channel: channels }}
          beside={<CancelLink to={usersPage.path} />}
        >
          {({ role, group, channel }) => (
            <div class="group/what grid max-w-[28rem] gap-4">
              <SelectField
                state={state}
                name="what"
                label={t("Change")}
                choices={kinds.map(([kind, [label]]) => ({
                  value: kind.replaceAll("_", "-"),
                  label: t(label),
                }))}
              />
              <div class="hidden group-has-[option[value=set-role]:checked]/what:block">{role}</div>
              <div class="hidden group-has-[option[value=add-to-group]:checked]/what:block">{group}</div>
              <div class="hidden group-has-[option[value=subscribe]:checked]/what:block group-has-[option[value=unsubscribe]:checked]/what:block">
                {channel}
              </div>
            </div>
          )}
        </Form>
      </Panel>
    );
  },
});
