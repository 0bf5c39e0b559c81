import { adminPage } from "../../declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { Link } from "@/components/Link.tsx";
import { DataTable } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { listBulkActions } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { nameSubject } from "./bulk_action.tsx";
import { useTexts } from "../../declare/texts.ts";

const texts = {
  listTitle: "Bulk actions",
  listLede: "Changes of many accounts in the last 30 days, newest first.",
  listLimit: "Only the newest {count} are listed.",
  noneYet: "No bulk actions in the last 30 days.",
  noneYetAdvice: "Select accounts in the list of users to change many of them, or import users from a file.",
  startedBy: "Started by",
  startedAt: "Started",
  state: "State",
  accounts: "Accounts",
  failedColumn: "Not changed",
  doneOf: "{done} of {total}",
  stateNames: { draft: "Draft", running: "Running", finished: "Finished", stopped: "Stopped" },
  what: "Change",
  titles: {
    set_role: "Change role",
    add_to_group: "Add to a group",
    subscribe: "Add to a channel",
    unsubscribe: "Remove from a channel",
    deactivate: "Deactivate accounts",
    import: "Import users",
  },
  subject: "{title}: {name}",
};

/** Maximum number of actions on the page. */
const MAX_LISTED = 100;

type ListedBulkAction = Awaited<ReturnType<typeof loadBulkActions>>["actions"][number];

async function loadBulkActions(request: AdminRequest) {
  const { chat, realm, messages } = request;
  const [records, { byId }] = await Promise.all([
    listBulkActions(chat, realm.id, MAX_LISTED),
    readDirectory(chat, realm.id),
  ]);
  const actions = await Promise.all(records.map(async (record) => ({
    ...{ id: record.id, kind: record.change.kind, createdAt: record.created_at, state: record.state },
    ...{ done: record.done, total: record.total, failed: record.failed },
    subject: await nameSubject(request, record.change),
    actor: byId.get(record.acting_user_id)?.full_name ?? messages.audit.formerUser,
  })));
  return { actions, limit: records.length === MAX_LISTED ? MAX_LISTED : null };
}

/** Renders the list of bulk actions with their state, progress and failures. */
export const bulkActionsPage = adminPage({
  path: "/admin/bulk-actions",
  load: loadBulkActions,
  title: "Bulk actions",
  lede: texts.listLede,
  above: [usersPage],
  view: ({ data: { actions, limit } }) => {
    const { text, t } = useTexts(texts);
    return (
      <>
        {actions.length === 0
          ? <EmptyState title={text.noneYet}>{text.noneYetAdvice}</EmptyState>
          : <ActionTable actions={actions} />}
        {limit !== null && <p class="mt-3 text-small text-soft">{t(text.listLimit, { count: limit })}</p>}
      </>
    );
  },
});

function ActionTable({ actions }: { actions: readonly ListedBulkAction[] }) {
  const { text, t, formatter } = useTexts(texts);
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
      t(text.doneOf, { done: action.done, total: action.total }),
      action.failed === 0
        ? formatter.number(0)
        : <strong key="failed" class="text-accent">{formatter.number(action.failed)}</strong>,
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

/** Returns the name of an action with its role, group or channel. */
function useName({ kind, subject }: ListedBulkAction): string {
  const { text, t } = useTexts(texts);
  const title = text.titles[kind];
  return subject === null ? title : t(text.subject, { title, name: subject });
}
