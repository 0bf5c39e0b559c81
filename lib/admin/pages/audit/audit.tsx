import { mapValues } from "es-toolkit/object/mapValues";
import { omit } from "es-toolkit/object/omit";
import { ActionLink, ExportButton } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { Link } from "@/components/Link.tsx";
import { isRevertible, sentenceOf } from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, readReverted } from "@/lib/chat/organization/audit/store.ts";
import { isAdmin, isBot } from "@/lib/chat/organization/users/model.ts";
import type { Directory } from "@/lib/chat/organization/users/store.ts";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import {
  AUDIT_KINDS,
  type FoundChanges,
  OPERATOR,
  readAuditFilter,
  searchAudit,
} from "@/lib/admin/audit/audit_search.ts";
import { ChangeSentence, NameLink, toRevertPath } from "@/lib/admin/audit/ChangeSentence.tsx";
import { loadDetailReader } from "@/lib/admin/audit/details.ts";
import { type ShownChange, toShown } from "@/lib/admin/audit/shown_change.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { withQuery } from "@/lib/admin/query.ts";
import { AUDIT } from "@/lib/admin/events/shown_events.ts";

/** Maximum number of administrators in the filter. */
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
    filter,
    changes: page.changes.map((change) => toShown(reader, change, { isReverted: reverted.has(change.id) })),
    people: listPeople(request, reader.directory, [
      Number(filter.who),
      ...page.changes.map((change) => change.acting_user_id),
    ]),
    olderPath: page.next === null ? null : withQuery("/admin/audit", { ...filter, cursor: page.next }),
    newestPath: cursor === null ? null : withQuery("/admin/audit", filter),
  };
}

/** Maximum number of changes in a file. */
const MAX_EXPORTED = 5000;

/** Returns the changes that match the page's filter as a CSV file, newest first. */
const exportChanges = form({
  action: "export",
  run: async (request) => {
    const { query, t } = request;
    const reader = await loadDetailReader(request);
    const rows: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: FoundChanges = await searchAudit(reader, readAuditFilter(query), cursor);
      rows.push(...page.changes.map((change) => {
        const { time, actor, action, target, sentences } = toShown(reader, change);
        const sentence = t(sentenceOf(action), { name: target.name });
        return [new Date(time).toISOString(), actor.name, sentence, sentences.join("; ")];
      }));
      cursor = page.next;
    } while (cursor !== null && rows.length < MAX_EXPORTED);
    return toCsvDownload({
      name: "audit.csv",
      columns: [t("Time"), t("Changed by"), t("Change"), t("Details")],
      rows: rows.slice(0, MAX_EXPORTED),
    });
  },
});

/** Returns the users whom the filter offers by their ids: administrators, and those of the shown changes. */
function listPeople({ t }: AdminRequest, { byName }: Directory, shown: readonly (number | null)[]) {
  const ids = new Set(shown);
  const admins = byName.filter((user) => user.is_active && !isBot(user) && isAdmin(user));
  for (const { id } of admins.slice(0, MAX_OFFERED)) ids.add(id);
  const offered = byName.filter(({ id }) => ids.has(id));
  return new Map([
    ["", t("Anyone")],
    ...offered.map(({ id, full_name }): [string, string] => [String(id), full_name]),
    [OPERATOR, t("Server operator")],
  ]);
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
  title: "Audit log",
  find: { words: "history who changed changes log revert undo" },
  lede: "Changes of the organization, newest first. Entries are kept for one year.",
  actions: () => (
    <>
      <Link class={WORD_BUTTON} href="/admin/bulk-actions">{useAdmin().t("Bulk actions")}</Link>
      <ExportButton />
    </>
  ),
  shows: AUDIT,
  forms: [exportChanges],
  view: ({ data: { filter, people, changes, olderPath, newestPath } }) => {
    const { t } = useAdmin();
    const isFiltered = Object.values(filter).some((value) => value !== "");
    return (
      <>
        <Filter filter={filter} people={people} isFiltered={isFiltered} />
        {changes.length > 0
          ? <Changes changes={changes} />
          : isFiltered || newestPath !== null
          ? (
            <EmptyState title={t("No matching changes.")}>
              {t("Choose another user or type, or clear the filters.")}
            </EmptyState>
          )
          : (
            <EmptyState title={t("No changes yet.")}>
              {t("Changes on these pages appear here.")}
            </EmptyState>
          )}
        <nav aria-label={t("Changes")} class="mt-5 flex flex-wrap gap-x-5 gap-y-2">
          {newestPath !== null && (
            <Link class="link inline-flex min-h-11 items-center" href={newestPath}>
              {t("Newest changes")}
            </Link>
          )}
          {olderPath !== null && (
            <Link class="link inline-flex min-h-11 items-center" href={olderPath}>{t("Older changes")}</Link>
          )}
        </nav>
      </>
    );
  },
});

type FilterProps = Pick<AuditData, "filter" | "people"> & { readonly isFiltered: boolean };

function Filter({ filter: { who, kind, text, from, to }, people, isFiltered }: FilterProps) {
  const { t, opens } = useAdmin();
  // Only the root organization has short links.
  const kinds = opens("/admin/links") ? AUDIT_KINDS : omit(AUDIT_KINDS, ["link", "blocked_host"]);
  const choices = { "": t("All types"), ...mapValues(kinds, (label) => t(label)) };
  return (
    <FilterForm clearPath={isFiltered ? "/admin/audit" : null} button={t("Apply")}>
      <FilterSelect name="who" label={t("Changed by")} choices={people} value={who} />
      <FilterSelect name="kind" label={t("Type")} choices={choices} value={kind} />
      <FilterField name="text" label={t("Name or detail")} value={text} />
      <div class="flex flex-wrap gap-3 max-sm:flex-auto">
        <FilterField name="from" type="date" label={t("From")} value={from} />
        <FilterField name="to" type="date" label={t("To")} value={to} />
      </div>
    </FilterForm>
  );
}

function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const { t } = useAdmin();
  return (
    <Table
      caption={t("Changes")}
      items={changes}
      columns={[
        { title: t("Change"), cell: (change) => <ChangeSentence change={change} /> },
        { title: t("Changed by"), cell: ({ actor }) => <NameLink {...actor} /> },
        {
          title: t("Time"),
          isAtEnd: true,
          cell: ({ time }) => <Moment time={time} look="whitespace-nowrap text-soft" />,
        },
      ]}
      actions={({ id, canRevert, isReverted, action, target: { name } }) =>
        (canRevert || isReverted) && (
          <ActionLink href={toRevertPath(id)} about={t(sentenceOf(action), { name })}>
            {t(isReverted ? "Reverted" : "Revert")}
          </ActionLink>
        )}
    />
  );
}
