import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import { listBulkActions } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Table } from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { nameBulkAction } from "./bulk_action.tsx";

const texts = {
  listTitle: "Bulk actions",
  listLede: "Changes of many users in the last 30 days, newest first.",
  listLimit: "Only the newest {count} are listed.",
  noneYet: "No bulk actions in the last 30 days.",
  noneYetAdvice: "Select users in the list to change many of them, or import users from a file.",
  startedBy: "Started by",
  startedAt: "Started",
  state: "State",
  users: "Users",
  failedColumn: "Not changed",
  doneOf: "{done} of {total}",
  stateNames: { draft: "Draft", running: "Running", finished: "Finished", stopped: "Stopped" },
  what: "Change",
};

/** Maximum number of actions on the page. */
const MAX_LISTED = 100;

async function loadBulkActions(request: AdminRequest) {
  const { chat, realm, messages } = request;
  const [records, { byId }] = await Promise.all([
    listBulkActions(chat, realm.id, MAX_LISTED),
    readDirectory(chat, realm.id),
  ]);
  return await Promise.all(records.map(async (record) => ({
    ...record,
    name: await nameBulkAction(request, record.change),
    actor: byId.get(record.acting_user_id)?.full_name ?? messages.audit.formerUser,
  })));
}

/** Renders the list of bulk actions with their state, progress and failures. */
export const bulkActionsPage = adminPage({
  path: "/admin/bulk-actions",
  load: loadBulkActions,
  title: "Bulk actions",
  lede: texts.listLede,
  above: [usersPage],
  view: ({ data: actions }) => {
    const { text, t, formatter } = useTexts(texts);
    if (actions.length === 0) return <EmptyState title={text.noneYet}>{text.noneYetAdvice}</EmptyState>;
    return (
      <>
        <Table
          caption={text.listTitle}
          items={actions}
          columns={[
            {
              title: text.what,
              cell: ({ id, name }) => (
                <Link class="link" href={`/admin/bulk-actions/${id}`}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            },
            { title: text.startedBy, cell: ({ actor }) => <bdi>{actor}</bdi> },
            {
              title: text.startedAt,
              isShort: true,
              cell: ({ created_at }) => (
                <time dateTime={new Date(created_at).toISOString()}>{formatter.moment(created_at)}</time>
              ),
            },
            { title: text.state, isShort: true, cell: ({ state }) => text.stateNames[state] },
            {
              title: text.users,
              isAtEnd: true,
              isShort: true,
              cell: ({ done, total }) => t(text.doneOf, { done, total }),
            },
            {
              title: text.failedColumn,
              isAtEnd: true,
              isShort: true,
              cell: ({ failed }) =>
                failed === 0
                  ? formatter.number(0)
                  : <strong class="text-accent">{formatter.number(failed)}</strong>,
            },
          ]}
        />
        {actions.length === MAX_LISTED && (
          <p class="mt-3 text-small text-soft">{t(text.listLimit, { count: MAX_LISTED })}</p>
        )}
      </>
    );
  },
});
