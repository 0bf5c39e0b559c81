import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { Link } from "@/components/Link.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { SelectField } from "@/components/admin/fields.tsx";
import { type BulkChange, createBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { permissionsOf } from "@/lib/chat/permissions/store.ts";
import { isOwner, ROLES, type UserRecord } from "@/lib/chat/users/model.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import { compareNames } from "@/lib/core/text.ts";
import { type Done, FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";
import { requireRevision, revisionOf } from "../../revision.ts";
import { listShownChannels } from "../../shown_channels.ts";
import { listMatchingUsers, readListQuery } from "../../users/users_list.ts";

const texts = {
  newTitle: "Change {count} accounts",
  newTitleOne: "Change 1 account",
  newNoneTitle: "Change accounts",
  none: "No accounts are selected.",
  noneAdvice: "Select accounts in the list, then choose “Change selected”.",
  backToUsers: "Back to users",
  more: { one: "and {count} other", other: "and {count} others" },
  what: "Change",
  choices: {
    set_role: "Change role",
    add_to_group: "Add to a group",
    subscribe: "Add to a channel",
    unsubscribe: "Remove from a channel",
    deactivate: "Deactivate",
  },
  role: "New role",
  group: "Group",
  channel: "Channel",
  noGroups: "There are no groups yet. Create one first.",
  noChannels: "There are no channels yet. Create one first.",
  chooseWhat: "Choose a change.",
  chooseRole: "Choose a role.",
  chooseGroup: "Choose a group.",
  chooseChannel: "Choose a channel.",
  deactivateNote:
    "Deactivated users are signed out everywhere and can no longer sign in or use the API. Their bots are also deactivated. Messages are kept. You can reactivate each account at any time.",
  apply: { one: "Apply to {count} account", other: "Apply to {count} accounts" },
  started: "Bulk action started.",
};

/** Number of accounts that the page names. */
const MAX_NAMED = 20;
/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/** Changes that can be chosen. */
const KINDS = ["set_role", "add_to_group", "subscribe", "unsubscribe", "deactivate"] as const;

/** A group or channel to choose. */
interface BulkChoice {
  readonly id: number;
  readonly name: string;
}

type NewBulkActionData = Awaited<ReturnType<typeof loadPage>>;

async function loadPage(request: AdminRequest) {
  const { chat, realm, user } = request;
  const permissions = permissionsOf(await chat.readOrganization(realm.id), chat.clock);
  const [users, channels] = await Promise.all([readSelection(request), listShownChannels(request)]);
  const groups = [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
    .sort((one, other) => compareNames(one.name, other.name));
  return {
    count: users.length,
    names: users.slice(0, MAX_NAMED).map(({ full_name }) => full_name),
    roles: ROLES.filter((role) => isOwner(user) || role !== 100),
    groups: groups.slice(0, MAX_CHOICES).map(toChoice),
    channels: channels.slice(0, MAX_CHOICES).map(toChoice),
    seen: revisionOf(users.map(({ id }) => id)),
  };
}

function toChoice({ id, name }: BulkChoice): BulkChoice {
  return { id, name };
}

async function apply(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, t } = request;
  const change = readChange(request, fields);
  const items = (await readSelection(request)).map(({ id }) => id);
  requireRevision(request, fields, items);
  const { id } = await createBulkAction(chat, caller, { change, items });
  return { flash: t(texts.started), to: `/admin/bulk-actions/${id}` };
}

/**
 * Reads the change of a form.
 * @throws FormRefusal when it is incomplete.
 */
function readChange({ t }: AdminRequest, fields: FormFields): BulkChange {
  const require = (name: string, problem: string) => {
    const id = fields.int(name);
    if (id === null) throw new FormRefusal({ [name]: problem });
    return id;
  };
  // Class names cannot contain underscores, so the values in the form have hyphens.
  switch (KINDS.find((kind) => kind === fields.text("what").replaceAll("-", "_"))) {
    case "set_role": {
      const role = ROLES.find((known) => known === fields.int("role"));
      if (role === undefined) throw new FormRefusal({ role: t(texts.chooseRole) });
      return { kind: "set_role", role };
    }
    case "add_to_group":
      return { kind: "add_to_group", group_id: require("group", t(texts.chooseGroup)) };
    case "subscribe":
      return { kind: "subscribe", channel_id: require("channel", t(texts.chooseChannel)) };
    case "unsubscribe":
      return { kind: "unsubscribe", channel_id: require("channel", t(texts.chooseChannel)) };
    case "deactivate":
      return { kind: "deactivate" };
    default:
      throw new FormRefusal({ what: t(texts.chooseWhat) });
  }
}

/** Name of the query's field that selects all accounts of the list. */
const ALL = "all";
/** Maximum number of accounts that are selected one by one, which fit into a URL. */
const MAX_SELECTED = 200;

/** Reads the accounts that a page's query selects: some by id, or all of a list with its filters. */
async function readSelection(request: AdminRequest): Promise<readonly UserRecord[]> {
  const { chat, realm, query } = request;
  if (query.has(ALL)) return await listMatchingUsers(request, readListQuery(request));
  const { byId } = await readDirectory(chat, realm.id);
  const ids = query.getAll("user").slice(0, MAX_SELECTED).map(Number);
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

const USERS = "/admin/users";

/** The page that changes the selected accounts. */
export const newBulkActionPage = adminPage({
  path: "/admin/bulk-actions/new",
  load: loadPage,
  title: ({ count }, t) =>
    count === 0 ? t(texts.newNoneTitle) : count === 1 ? t(texts.newTitleOne) : t(texts.newTitle, { count }),
  lede: (data) => data.count === 0 ? undefined : <SelectedNames data={data} />,
  above: [usersPage],
  forms: [{ action: "apply", run: apply }],
  view: ({ data }) => {
    const { text, t } = useTexts(texts);
    const state = useFormState({ action: "apply" });
    const { count } = data;
    if (count === 0) {
      return (
        <EmptyState title={text.none}>
          {text.noneAdvice} <Link class="link" href={USERS}>{text.backToUsers}</Link>
        </EmptyState>
      );
    }
    return (
      <Panel title={count === 1 ? text.newTitleOne : t(text.newTitle, { count })}>
        <AdminForm
          state={state}
          button={t(text.apply, { count })}
          hidden={{ seen: data.seen }}
          beside={<CancelLink to={USERS} />}
        >
          <ChangeFields state={state} data={data} />
        </AdminForm>
      </Panel>
    );
  },
});

function SelectedNames({ data: { names, count } }: { data: NewBulkActionData }) {
  const { text, t } = useTexts(texts);
  const others = count - names.length;
  return (
    <>
      <bdi>{names.join(", ")}</bdi>
      {others > 0 && <>{t(text.more, { count: others })}</>}
    </>
  );
}

/** Renders the choice of a change; the fields that it needs appear with it. */
function ChangeFields({ state, data }: { state: FormState; data: NewBulkActionData }) {
  const { text } = useTexts(texts);
  return (
    <div class="group/what grid max-w-[28rem] gap-4">
      <SelectField
        state={state}
        name="what"
        label={text.what}
        choices={KINDS.map((kind) => ({ value: kind.replaceAll("_", "-"), label: text.choices[kind] }))}
      />
      <div class="hidden group-has-[option[value=set-role]:checked]/what:block">
        <RoleField state={state} data={data} />
      </div>
      <div class="hidden group-has-[option[value=add-to-group]:checked]/what:block">
        <SubjectField
          state={state}
          name="group"
          label={text.group}
          choices={data.groups}
          empty={text.noGroups}
        />
      </div>
      <div class="hidden group-has-[option[value=subscribe]:checked]/what:block group-has-[option[value=unsubscribe]:checked]/what:block">
        <SubjectField
          state={state}
          name="channel"
          label={text.channel}
          choices={data.channels}
          empty={text.noChannels}
        />
      </div>
      <p class="hidden text-small text-accent group-has-[option[value=deactivate]:checked]/what:block">
        {text.deactivateNote}
      </p>
    </div>
  );
}

function RoleField({ state, data }: { state: FormState; data: NewBulkActionData }) {
  const { text, messages } = useTexts(texts);
  return (
    <SelectField
      state={state}
      name="role"
      label={text.role}
      stored="400"
      choices={data.roles.map((role) => ({ value: String(role), label: messages.shell.roles[role] }))}
    />
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
