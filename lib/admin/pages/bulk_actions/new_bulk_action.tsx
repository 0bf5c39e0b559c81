import { useAdmin } from "@/components/admin/admin_view.ts";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { SelectField } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { isOwner, ROLE, ROLES } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { usersPage } from "../users/users.tsx";
import { readSelection, SelectedNames } from "./confirm_bulk_action.tsx";

const texts = {
  title: { one: "Change {count} user", other: "Change {count} users" },
  choices: {
    set_role: "Change role",
    add_to_group: "Add to a group",
    subscribe: "Add to a channel",
    unsubscribe: "Remove from a channel",
    deactivate: "Deactivate",
    reactivate: "Reactivate",
  },
};

/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/** Changes that can be chosen, with the field that each needs and its problem. */
const KINDS = {
  set_role: ["role", "Choose a role."],
  add_to_group: ["group", "Choose a group."],
  subscribe: ["channel", "Choose a channel."],
  unsubscribe: ["channel", "Choose a channel."],
  deactivate: null,
  reactivate: null,
} as const;

type NewBulkActionData = Awaited<ReturnType<typeof loadPage>>;

async function loadPage(request: AdminRequest) {
  const { user, messages } = request;
  const { groups } = await request.readPermissions();
  const [users, channels] = await Promise.all([readSelection(request), listShownChannels(request)]);
  const active = [...groups.values()].filter(({ deactivated }) => !deactivated)
    .sort((one, other) => compareNames(one.name, other.name));
  const toChoice = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name });
  return {
    users,
    hasActive: users.some(({ is_active }) => is_active),
    roles: ROLES.filter((role) => isOwner(user) || role !== ROLE.owner)
      .map((id) => toChoice({ id, name: messages.shell.roles[id] })),
    groups: active.slice(0, MAX_CHOICES).map(toChoice),
    channels: channels.slice(0, MAX_CHOICES).map(toChoice),
  };
}

const choose = form({
  action: "choose",
  button: "Continue",
  run: ({ t, query }, _, submitted) => {
    // Class names cannot contain underscores, so the values in the form have hyphens.
    const what = submitted.text("what").replaceAll("-", "_");
    if (!isKind(what)) throw new FormRefusal({ what: t("Choose a change.") });
    const change = new URLSearchParams(query);
    change.set("what", what);
    const [name, problem] = KINDS[what] ?? [];
    if (name !== undefined) {
      const id = submitted.int(name);
      const isKnown = name !== "role" || ROLES.some((role) => role === id);
      if (id === null || !isKnown) throw new FormRefusal({ [name]: t(problem ?? "") });
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
  load: loadPage,
  // The list of deactivated users offers one change only.
  redirect: async (request) => {
    const isChosen = request.query.get("what") === "reactivate" && (await readSelection(request)).length > 0;
    return isChosen ? `/admin/bulk-actions/confirm?${request.query}` : null;
  },
  title: ({ users: { length: count } }, t) => t(count === 0 ? "Change users" : texts.title, { count }),
  lede: ({ users }) => users.length === 0 ? undefined : <SelectedNames users={users} />,
  above: [usersPage],
  forms: [choose],
  view: ({ data }) => {
    const { t } = useAdmin();
    const state = useFormState(choose);
    const count = data.users.length;
    if (count === 0) {
      return (
        <EmptyState title={t("No users are selected.")}>
          {t("Select users in the list, then choose “Change selected”.")}{" "}
          <Link class="link" href={usersPage.path}>{t("Back to users")}</Link>
        </EmptyState>
      );
    }
    return (
      <Panel title={t(texts.title, { count })}>
        <Form of={choose} beside={<CancelLink to={usersPage.path} />}>
          {() => <ChangeFields state={state} data={data} />}
        </Form>
      </Panel>
    );
  },
});

/** Renders the choice of a change; the field that it needs appears with it. */
function ChangeFields({ state, data }: { state: FormState; data: NewBulkActionData }) {
  const { text, t } = useTexts(texts);
  const kinds = Object.entries(text.choices).filter(([kind]) => (kind !== "reactivate") === data.hasActive);
  const fields = [
    {
      name: "role",
      label: t("New role"),
      stored: String(ROLE.member),
      choices: data.roles,
      shown: "group-has-[option[value=set-role]:checked]/what:block",
      empty: "",
    },
    {
      name: "group",
      label: t("Group"),
      choices: data.groups,
      shown: "group-has-[option[value=add-to-group]:checked]/what:block",
      empty: t("There are no groups yet. Create one first."),
    },
    {
      name: "channel",
      label: t("Channel"),
      choices: data.channels,
      shown:
        "group-has-[option[value=subscribe]:checked]/what:block group-has-[option[value=unsubscribe]:checked]/what:block",
      empty: t("There are no channels yet. Create one first."),
    },
  ];
  return (
    <div class="group/what grid max-w-[28rem] gap-4">
      <SelectField
        state={state}
        name="what"
        label={t("Change")}
        choices={kinds.map(([kind, label]) => ({ value: kind.replaceAll("_", "-"), label }))}
      />
      {fields.map(({ shown, empty, ...field }) => (
        <div key={field.name} class={`hidden ${shown}`}>
          {field.choices.length === 0
            ? <p class="text-soft">{empty}</p>
            : <SelectField state={state} {...field} />}
        </div>
      ))}
    </div>
  );
}
