import type { AuditData, ShownChange } from "@/lib/admin/audit/audit_page.ts";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { ActionButton, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Link } from "../../Link.tsx";

/** Renders the audit log: each change with its time and the acting user, newest first. */
export function AuditPage({ data }: AdminPageData<AuditData>) {
  const { messages } = useAdmin();
  const text = messages.audit;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={
          <div class="flex flex-wrap items-center gap-x-5">
            <Link
              class="link inline-flex min-h-11 items-center text-small font-medium"
              href="/admin/bulk-actions"
            >
              {messages.bulkActions.listLink}
            </Link>
            <ActionButton action="export" fields={{}}>{text.export}</ActionButton>
          </div>
        }
      />
      <Filter data={data} />
      {data.changes.length === 0 ? <Empty data={data} /> : <Changes changes={data.changes} />}
      <nav aria-label={text.listTitle} class="mt-5 flex flex-wrap gap-x-5 gap-y-2">
        {!data.isFirst && (
          <Link class="link inline-flex min-h-11 items-center" href={data.firstPath}>{text.newest}</Link>
        )}
        {data.olderPath !== null && (
          <Link class="link inline-flex min-h-11 items-center" href={data.olderPath}>{text.older}</Link>
        )}
      </nav>
    </>
  );
}

function Filter({ data: { people, kinds, filter } }: { data: AuditData }) {
  const { messages } = useAdmin();
  const text = messages.audit;
  const isFiltered: boolean = Object.values(filter).some((value) => value !== "");
  const about = [
    { value: "", label: text.anything },
    ...kinds.map((kind) => ({
      value: kind,
      label: text.kinds[kind],
    })),
  ];
  return (
    <form
      method="get"
      action="/admin/audit"
      role="search"
      aria-label={text.filter}
      class="mb-5 flex flex-wrap items-end gap-x-4 gap-y-3"
    >
      <Choice name="who" label={text.who} choices={people} chosen={filter.who} />
      <Choice name="kind" label={text.what} choices={about} chosen={filter.kind} />
      <Field name="text" type="search" label={text.text} value={filter.text} />
      <Field name="from" type="date" label={text.from} value={filter.from} />
      <Field name="to" type="date" label={text.to} value={filter.to} />
      <button type="submit" class={QUIET_BUTTON}>{text.show}</button>
      {isFiltered && (
        <Link class="link inline-flex min-h-11 items-center text-small" href="/admin/audit">
          {text.showAll}
        </Link>
      )}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly type: "search" | "date";
  readonly label: string;
  readonly value: string;
}

function Field({ name, type, label, value }: FieldProps) {
  return (
    <div class="grid max-w-full min-w-0 gap-y-1.5">
      <label for={name} class={FIELD_LABEL}>{label}</label>
      <input id={name} name={name} type={type} dir="auto" defaultValue={value} class={TEXT_FIELD} />
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string;
}

function Choice({ name, label, choices, chosen }: ChoiceProps) {
  return (
    <div class="grid w-56 max-w-full min-w-0 gap-y-1.5">
      <label for={name} class={FIELD_LABEL}>{label}</label>
      <select id={name} name={name} class={TEXT_FIELD}>
        {choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === chosen}>{label}</option>
        ))}
      </select>
    </div>
  );
}

function Empty({ data: { filter, isFirst } }: { data: AuditData }) {
  const { messages } = useAdmin();
  const text = messages.audit;
  return Object.values(filter).every((value) => value === "") && isFirst
    ? <EmptyState title={text.empty}>{text.emptyAdvice}</EmptyState>
    : <EmptyState title={text.emptyFiltered}>{text.emptyFilteredAdvice}</EmptyState>;
}

function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.audit;
  const columns = [
    { title: text.change },
    { title: text.who },
    { title: text.when, isAtEnd: true },
    { title: messages.common.actions, isAtEnd: true, isShort: true, isClear: true },
  ];
  const rows = changes.map((change, at) => ({
    id: String(at),
    cells: [
      <ChangeSentence key="what" change={change} />,
      <PossibleLink key="who" {...change.actor} />,
      <time key="when" dateTime={new Date(change.time).toISOString()} class="whitespace-nowrap text-soft">
        {formatter.moment(change.time)}
      </time>,
      <Reversal key="revert" change={change} />,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

/** Renders the link that reverts a change, or that it was reverted. */
function Reversal({ change: { id, reversal, action, target } }: { change: ShownChange }) {
  const { messages, formatter } = useAdmin();
  const text = messages.audit;
  if (reversal === "none") return null;
  return (
    <ActionLink
      href={toRevertPath(id)}
      about={formatter.t(text.actions[action], { name: target.name })}
    >
      {reversal === "done" ? text.revert.wasReverted : text.revert.link}
    </ActionLink>
  );
}

function toRevertPath(id: string): string {
  return `/admin/audit/${id}/revert`;
}

/** Renders the sentence that describes a change; the name in it links to its target. */
export function ChangeSentence({ change: { action, target, details, reverts } }: { change: ShownChange }) {
  const { messages } = useAdmin();
  const [before = "", after] = messages.audit.actions[action].split("{name}");
  return (
    <div class="min-w-0 max-w-[60ch] break-words">
      {before}
      {after !== undefined && <PossibleLink {...target} />}
      {after}
      {details.length > 0 && (
        <ul class="mt-0.5 text-small text-soft">
          {details.map((detail) => <li key={detail} dir="auto" class="break-words">{detail}</li>)}
        </ul>
      )}
      {reverts !== null && (
        <Link class="link mt-0.5 inline-flex min-h-6 items-center text-small" href={toRevertPath(reverts)}>
          {messages.audit.revert.reverts}
        </Link>
      )}
    </div>
  );
}

/** Renders a name, with a link to its page if it has one. */
export function PossibleLink({ name, path }: { name: string; path: string | null }) {
  const shown = <bdi class="break-words">{name}</bdi>;
  return path === null ? shown : <Link class="link" href={path}>{shown}</Link>;
}
