import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { BulkActionsData, ListedBulkAction } from "@/lib/admin/bulk_actions/bulk_actions_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Link } from "../../Link.tsx";

/** Renders the list of bulk actions with their state, progress and failures. */
export function BulkActionsPage({ data: { actions, limit } }: AdminPageData<BulkActionsData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  return (
    <>
      <AdminHeading
        title={text.listTitle}
        lede={text.listLede}
        above={[{ path: "/admin/users", name: messages.users.title }]}
      />
      {actions.length === 0
        ? <EmptyState title={text.noneYet}>{text.noneYetAdvice}</EmptyState>
        : <ActionTable actions={actions} />}
      {limit !== null && (
        <p class="mt-3 text-small text-soft">{formatter.t(text.listLimit, { count: limit })}</p>
      )}
    </>
  );
}

function ActionTable({ actions }: Pick<BulkActionsData, "actions">) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  const columns = [
    { title: text.what },
    { title: text.startedBy },
    { title: text.startedAt, isShort: true },
    { title: text.state, isShort: true },
    { title: text.accounts, isAtEnd: true, isShort: true },
    { title: text.failedColumn, isAtEnd: true, isShort: true },
  ];
  const rows = actions.map((action) => ({
    id: String(action.id),
    cells: [
      <Link key="what" class="link" href={`/admin/bulk-actions/${action.id}`}>
        <bdi>{useName(action)}</bdi>
      </Link>,
      <bdi key="actor">{action.actor}</bdi>,
      <time key="time" dateTime={new Date(action.createdAt).toISOString()}>
        {formatter.moment(action.createdAt)}
      </time>,
      text.stateNames[action.state],
      formatter.t(text.doneOf, { done: action.done, total: action.total }),
      action.failed === 0
        ? formatter.number(0)
        : <strong key="failed" class="text-accent">{formatter.number(action.failed)}</strong>,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

/** Returns the name of an action with its role, group or channel. */
function useName({ kind, subject }: ListedBulkAction): string {
  const { messages, formatter } = useAdmin();
  const title = messages.bulkActions.titles[kind];
  return subject === null ? title : formatter.t(messages.bulkActions.subject, { title, name: subject });
}
