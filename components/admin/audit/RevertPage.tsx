import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { RevertData, ShownField } from "@/lib/admin/audit/revert_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { DataTable } from "../DataTable.tsx";
import { CheckField } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { ChangeSentence } from "./AuditPage.tsx";

/** Renders the page that confirms reverting a change, or says why it cannot be reverted. */
export function RevertPage({ data, refused }: AdminPageData<RevertData>) {
  const { messages } = useAdmin();
  const text = messages.audit.revert;
  const { fields, reverted } = data;
  if (fields === null || fields.length === 0 || reverted !== null) return <Unavailable data={data} />;
  const state = formState(refused, "revert");
  const hasConflict = fields.some(({ changedTo }) => changedTo !== null);
  return (
    <ConfirmPage
      title={text.title}
      above={[{ path: "/admin/audit", name: messages.audit.title }]}
      action="revert"
      button={text.button}
      refused={refused}
      hidden={{ seen: data.seen }}
      isHarmless={!hasConflict}
      fields={hasConflict && (
        <CheckField state={state} name="replace" label={text.replace} hint={text.conflict} stored={false} />
      )}
    >
      <RevertedChange data={{ ...data, change: { ...data.change, details: [] } }} />
      <FieldTable fields={fields} />
      <Notes data={data} />
    </ConfirmPage>
  );
}

/** Renders a change that cannot be reverted now, and why. */
function Unavailable({ data }: { data: RevertData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.audit.revert;
  const { fields, reverted } = data;
  const reason = reverted !== null
    ? formatter.t(text.reverted, { actor: reverted.actor.name, time: formatter.moment(reverted.time) })
    : fields === null
    ? text.gone
    : text.same;
  return (
    <>
      <AdminHeading
        title={reverted === null ? text.title : text.revertedTitle}
        above={[{ path: "/admin/audit", name: messages.audit.title }]}
      />
      <div class="grid max-w-[58ch] gap-4">
        <RevertedChange data={data} />
        <p>{reason}</p>
      </div>
    </>
  );
}

/** Renders the change with its author and time. */
function RevertedChange({ data: { change } }: { data: RevertData }) {
  const { formatter } = useAdmin();
  return (
    <div>
      <ChangeSentence change={change} />
      <p class="mt-1 text-small text-soft">
        <bdi>{change.actor.name}</bdi> · {formatter.moment(change.time)}
      </p>
    </div>
  );
}

function FieldTable({ fields }: { fields: readonly ShownField[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.audit.revert;
  const rows = fields.map(({ name, label, current, earlier, changedTo }) => ({
    id: name,
    cells: [
      <span key="label" class="font-medium">{label}</span>,
      <span key="current" class="grid">
        <bdi>{current}</bdi>
        {changedTo !== null && (
          <span class="text-small text-accent">{formatter.t(text.changedSince, { value: changedTo })}</span>
        )}
      </span>,
      <bdi key="earlier">{earlier}</bdi>,
    ],
  }));
  const columns = [{ title: text.field }, { title: text.current }, { title: text.earlier }];
  return <DataTable caption={text.table} columns={columns} rows={rows} />;
}

function Notes({ data: { change, leftOut, fields } }: { data: RevertData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.audit.revert;
  const lines = [
    ...(leftOut.length === 0 ? [] : [formatter.t(text.leftOut, { fields: formatter.list(leftOut) })]),
    ...(change.action === "user_deactivated" && change.details.length > 0 ? [text.botsStay] : []),
    ...(fields?.some(({ name }) => name === "field_data") ? [text.choicesLost] : []),
  ];
  return <>{lines.map((line) => <p key={line} class="text-soft">{line}</p>)}</>;
}
