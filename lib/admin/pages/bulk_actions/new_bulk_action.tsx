import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { SelectField } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import { isOwner, ROLES } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { usersPage } from "../users/users.tsx";
import { readSelection, SelectedNames } from "./selected_users.tsx";

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

/** Changes that can be chosen. */
const KINDS = ["set_role", "add_to_group", "subscribe", "unsubscribe", "deactivate", "reactivate"] as const;

/** A group or channel to choose. */
interface BulkChoice {
  readonly id: number;
  readonly name: string;
}

type NewBulkActionData = Awaited<ReturnType<typeof loadPage>>;

async function loadPage(request: AdminRequest) {
  const { user } = request;
  const permissions = await request.readPermissions();
  const [users, channels] = await Promise.all([readSelection(request), listShownChannels(request)]);
  const groups = [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
    .sort((one, other) => compareNames(one.name, other.name));
  const isActive = users.some(({ is_active }) => is_active);
  return {
    users,
    kinds: KINDS.filter((kind) => (kind !== "reactivate") === isActive),
    roles: ROLES.filter((role) => isOwner(user) || role !== 100),
    groups: groups.slice(0, MAX_CHOICES).map(toChoice),
    channels: channels.slice(0, MAX_CHOICES).map(toChoice),
  };
}

function toChoice({ id, name }: BulkChoice): BulkChoice {
  return { id, name };
}

/** Opens the page that confirms the chosen change. */
function choose({ t, query }: AdminRequest, fields: FormFields): Promise<Done> {
  // Class names cannot contain underscores, so the values in the form have hyphens.
  const what = KINDS.find((kind) => kind === fields.text("what").replaceAll("-", "_"));
  if (what === undefined) throw new FormRefusal({ what: t("Choose a change.") });
  const change = new URLSearchParams(query);
  change.set("what", what);
  const require = (name: string, problem: string) => {
    const id = fields.int(name);
    const isKnown = name !== "role" || ROLES.some((role) => role === id);
    if (id === null || !isKnown) throw new FormRefusal({ [name]: t(problem) });
    change.set("to", String(id));
  };
  if (what === "set_role") require("role", "Choose a role.");
  if (what === "add_to_group") require("group", "Choose a group.");
  if (what === "subscribe" || what === "unsubscribe") require("channel", "Choose a channel.");
  return Promise.resolve({ flash: "", to: `/admin/bulk-actions/confirm?${change}` });
}

/** The page that chooses how the selected users are changed. */
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
  forms: [{ action: "choose", run: choose }],
  view: ({ data }) => {
    const { text, t } = useTexts(texts);
    const state = useFormState({ action: "choose" });
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
      <Panel title={t(text.title, { count })}>
        <AdminForm state={state} button={t("Continue")} beside={<CancelLink to={usersPage.path} />}>
          <ChangeFields state={state} data={data} />
        </AdminForm>
      </Panel>
    );
  },
});

/** Renders the choice of a change; the fields that it needs appear with it. */
function ChangeFields({ state, data }: { state: FormState; data: NewBulkActionData }) {
  const { t, text, messages } = useTexts(texts);
  return (
    <div class="group/what grid max-w-[28rem] gap-4">
      <SelectField
        state={state}
        name="what"
        label={t("Change")}
        choices={data.kinds.map((kind) => ({ value: kind.replaceAll("_", "-"), label: text.choices[kind] }))}
      />
      <div class="hidden group-has-[option[value=set-role]:checked]/what:block">
        <SelectField
          state={state}
          name="role"
          label={t("New role")}
          stored="400"
          choices={data.roles.map((role) => ({ value: String(role), label: messages.shell.roles[role] }))}
        />
      </div>
      <div class="hidden group-has-[option[value=add-to-group]:checked]/what:block">
        <SubjectField
          state={state}
          name="group"
          label={t("Group")}
          choices={data.groups}
          empty={t("There are no groups yet. Create one first.")}
        />
      </div>
      <div class="hidden group-has-[option[value=subscribe]:checked]/what:block group-has-[option[value=unsubscribe]:checked]/what:block">
        <SubjectField
          state={state}
          name="channel"
          label={t("Channel")}
          choices={data.channels}
          empty={t("There are no channels yet. Create one first.")}
        />
      </div>
    </div>
  );
}

interface SubjectFieldProps {
  readonly state: FormState;
  readonly name: string;
  readonly label: string;
  readonly choices: readonly BulkChoice[];
  readonly empty: string;
}

function SubjectField({ state, name, label, choices, empty }: SubjectFieldProps) {
  if (choices.length === 0) return <p class="text-soft">{empty}</p>;
  const options = choices.map((choice) => ({ value: String(choice.id), label: choice.name }));
  return <SelectField state={state} name={name} label={label} choices={options} />;
}
