import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { BulkChoice, NewBulkActionData } from "@/lib/admin/bulk_actions/new_bulk_action_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { SelectField } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { Link } from "../../Link.tsx";

const USERS = "/admin/users";

/** Renders the form that changes the selected accounts. */
export function NewBulkActionPage({ data, refused }: AdminPageData<NewBulkActionData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  const { count } = data;
  const above = [{ path: USERS, name: messages.users.title }];
  if (count === 0) {
    return (
      <>
        <AdminHeading title={text.newNoneTitle} above={above} />
        <EmptyState title={text.none}>
          {text.noneAdvice} <Link class="link" href={USERS}>{text.backToUsers}</Link>
        </EmptyState>
      </>
    );
  }
  const title = count === 1 ? text.newTitleOne : formatter.t(text.newTitle, { count });
  const state = formState(refused, "apply");
  return (
    <>
      <AdminHeading title={title} above={above} lede={<SelectedNames data={data} />} />
      <Panel title={title}>
        <AdminForm
          state={state}
          button={formatter.t(text.apply, { count })}
          hidden={{ seen: data.seen }}
          beside={<CancelLink to={USERS} />}
        >
          <ChangeFields state={state} data={data} />
        </AdminForm>
      </Panel>
    </>
  );
}

function SelectedNames({ data: { names, count } }: { data: NewBulkActionData }) {
  const { messages, formatter } = useAdmin();
  const others = count - names.length;
  return (
    <>
      <bdi>{names.join(", ")}</bdi>
      {others > 0 && <>{formatter.t(messages.bulkActions.more, { count: others })}</>}
    </>
  );
}

/** Renders the choice of a change; the fields that it needs appear with it. */
function ChangeFields({ state, data }: { state: FormState; data: NewBulkActionData }) {
  const { messages } = useAdmin();
  const text = messages.bulkActions;
  return (
    <div class="group/what grid max-w-[28rem] gap-4">
      <SelectField
        state={state}
        name="what"
        label={text.what}
        choices={data.kinds.map((kind) => ({ value: kind.replaceAll("_", "-"), label: text.choices[kind] }))}
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
  const { messages } = useAdmin();
  return (
    <SelectField
      state={state}
      name="role"
      label={messages.bulkActions.role}
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
