import { adminPage } from "@/lib/admin/declare/page.tsx";
import { AUDIT } from "@/lib/admin/events/shown_events.ts";
import { ChangeSentence, PossibleLink, toRevertPath } from "@/components/admin/audit/ChangeSentence.tsx";
import { type ShownChange, toShown } from "@/lib/admin/audit/shown_change.ts";
import { Link } from "@/components/Link.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";

import { isRevertible } from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, readReverted } from "@/lib/chat/organization/audit/store.ts";
import { isAdmin, isBot } from "@/lib/chat/organization/users/model.ts";
import type { Directory } from "@/lib/chat/organization/users/store.ts";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import {
  AUDIT_KINDS,
  type FoundChanges,
  OPERATOR,
  readAuditFilter,
  searchAudit,
} from "@/lib/admin/audit/audit_search.ts";

import { loadDetailReader } from "@/lib/admin/audit/detail_reader.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";

/** Maximum number of users in the filter. */
const MAX_OFFERED = 100;

type AuditData = Awaited<ReturnType<typeof loadChanges>>;

async function loadChanges(request: AdminRequest) {
  const { query } = request;
  const filter = readAuditFilter(query);
  const cursor = query.get("cursor");
  const reader = await loadDetailReader(request);
  const page = await searchAudit(reader, filter, cursor);
  const reverted = await listReverted(request, page.changes);
  return {
    changes: page.changes.map((change) => toShown(reader, change, reverted.has(change.id))),
    people: listPeople(request, reader.directory, filter.who),
    kinds: AUDIT_KINDS,
    filter,
    olderPath: page.next === null ? null : toPath({ ...filter, cursor: page.next }),
    isFirst: cursor === null,
    firstPath: toPath({ ...filter }),
  };
}

/** Maximum number of changes in a file. */
const MAX_EXPORTED = 5000;

/** Returns the changes that match the page's filter as a CSV file, newest first. */
async function exportChanges(request: AdminRequest): Promise<Response> {
  const { query } = request;
  const filter = readAuditFilter(query);
  const reader = await loadDetailReader(request);
  const rows: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: FoundChanges = await searchAudit(reader, filter, cursor);
    rows.push(
      ...page.changes.map((change) => toCells(request, toShown(reader, change, false))),
    );
    cursor = page.next;
  } while (cursor !== null && rows.length < MAX_EXPORTED);
  return toCsvDownload({
    name: "audit.csv",
    columns: [request.t("Time"), request.t("Changed by"), request.t("Change"), request.t("Details")],
    rows: rows.slice(0, MAX_EXPORTED),
  });
}

function toCells(
  { messages, formatter }: AdminRequest,
  { time, actor, action, target, details }: ShownChange,
): string[] {
  const sentence = formatter.t(messages.audit.actions[action], { name: target.name });
  return [new Date(time).toISOString(), actor.name, sentence, details.join("; ")];
}

function toPath(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "/admin/audit" : `/admin/audit?${query}`;
}

function listPeople(
  { t, messages }: AdminRequest,
  { byName, byId }: Directory,
  who: string,
) {
  const admins = byName.filter((user) => user.is_active && !isBot(user) && isAdmin(user)).slice(
    0,
    MAX_OFFERED,
  );
  const chosen = byId.get(Number(who));
  const offered = chosen === undefined || admins.includes(chosen) ? admins : [...admins, chosen];
  return [
    { value: "", label: t("Anyone") },
    ...offered.map(({ id, full_name }) => ({ value: String(id), label: full_name })),
    { value: OPERATOR, label: messages.audit.operator },
  ];
}

/** Returns the ids of those of the changes that were reverted. */
async function listReverted(
  { chat, realm }: AdminRequest,
  changes: readonly AuditLogEntry[],
): Promise<ReadonlySet<string>> {
  const ids = changes.filter(isRevertible).map(({ id }) => id);
  const reads = { get: chat.reads.read };
  const reverted = await Promise.all(ids.map((id) => readReverted(reads, realm.id, id)));
  return new Set(ids.filter((_, at) => reverted[at] !== null));
}

/** The audit log: each change with its time and the acting user, newest first. */
export const auditPage = adminPage({
  path: "/admin/audit",
  load: loadChanges,
  title: (_, __, { audit }) => audit.title,
  find: { words: "history changes log" },
  lede: (_, __, { audit }) => audit.lede,
  actions: () => {
    const { t } = useAdmin();
    return (
      <div class="flex flex-wrap items-center gap-x-5">
        <Link
          class="link inline-flex min-h-11 items-center text-small font-medium"
          href="/admin/bulk-actions"
        >
          {t("Bulk actions")}
        </Link>
        <ActionButton action="export" fields={{}}>{t("Export CSV")}</ActionButton>
      </div>
    );
  },
  shows: AUDIT,
  forms: [{ action: "export", run: exportChanges }],
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <Filter data={data} />
        {data.changes.length === 0 ? <Empty data={data} /> : <Changes changes={data.changes} />}
        <nav aria-label={t("Changes")} class="mt-5 flex flex-wrap gap-x-5 gap-y-2">
          {!data.isFirst && (
            <Link class="link inline-flex min-h-11 items-center" href={data.firstPath}>
              {t("Newest changes")}
            </Link>
          )}
          {data.olderPath !== null && (
            <Link class="link inline-flex min-h-11 items-center" href={data.olderPath}>
              {t("Older changes")}
            </Link>
          )}
        </nav>
      </>
    );
  },
});

function Filter({ data: { people, kinds, filter } }: { data: AuditData }) {
  const { t, messages } = useAdmin();
  const text = messages.audit;
  const isFiltered: boolean = Object.values(filter).some((value) => value !== "");
  const about = [
    { value: "", label: t("All types") },
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
      aria-label={t("Filter changes")}
      class="mb-5 flex flex-wrap items-end gap-x-4 gap-y-3"
    >
      <Choice name="who" label={t("Changed by")} choices={people} chosen={filter.who} />
      <Choice name="kind" label={t("Type")} choices={about} chosen={filter.kind} />
      <Field name="text" type="search" label={t("Name or detail")} value={filter.text} />
      <Field name="from" type="date" label={t("From")} value={filter.from} />
      <Field name="to" type="date" label={t("To")} value={filter.to} />
      <button type="submit" class={QUIET_BUTTON}>{t("Apply")}</button>
      {isFiltered && (
        <Link class="link inline-flex min-h-11 items-center text-small" href="/admin/audit">
          {t("Clear filters")}
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
  const { t } = useAdmin();
  return Object.values(filter).every((value) => value === "") && isFirst
    ? (
      <EmptyState title={t("No changes yet.")}>
        {t("Changes that administrators make appear here.")}
      </EmptyState>
    )
    : (
      <EmptyState title={t("No matching changes.")}>
        {t("Choose another user or type, or clear the filters.")}
      </EmptyState>
    );
}

function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const { t, messages, formatter } = useAdmin();
  const columns = [
    { title: t("Change") },
    { title: t("Changed by") },
    { title: t("Time"), isAtEnd: true },
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
  return <DataTable caption={t("Changes")} columns={columns} rows={rows} />;
}

/** Renders the link that reverts a change, or that it was reverted. */
function Reversal({ change: { id, reversal, action, target } }: { change: ShownChange }) {
  const { t, messages, formatter } = useAdmin();
  const text = messages.audit;
  if (reversal === "none") return null;
  return (
    <ActionLink
      href={toRevertPath(id)}
      about={formatter.t(text.actions[action], { name: target.name })}
    >
      {reversal === "done" ? t("Reverted") : t("Revert")}
    </ActionLink>
  );
}
