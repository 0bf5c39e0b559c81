import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Moment } from "@/components/admin/Moment.tsx";
import { Link } from "@/components/Link.tsx";
import { listBulkActions } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { usersPage } from "../users/users.tsx";
import { nameBulkAction } from "./bulk_action.tsx";

const texts = {
  none: "Select users in the list to change many of them, or import users from a file.",
  states: { draft: "Draft", running: "Running", finished: "Finished", stopped: "Stopped" },
};

/** Maximum number of actions on the page. */
const MAX_LISTED = 100;

export const bulkActionsPage = adminPage({
  path: "/admin/bulk-actions",
  find: { words: "undo reactivate many users" },
  load: async (request) => {
    const { chat, realm, t } = request;
    const { byId } = await readDirectory(chat, realm.id);
    const actions = await listBulkActions(chat, realm.id, MAX_LISTED);
    return await Promise.all(actions.map(async (action) => ({
      ...action,
      name: await nameBulkAction(request, action.change),
      actor: byId.get(action.acting_user_id)?.full_name ?? t("Former user"),
    })));
  },
  title: "Bulk actions",
  lede: "Changes of many users in the last 30 days, newest first.",
  above: [usersPage],
  view: ({ data: actions }) => {
    const { text, t, formatter } = useTexts(texts);
    if (actions.length === 0) {
      return <EmptyState title={t("No bulk actions in the last 30 days.")}>{text.none}</EmptyState>;
    }
    return (
      <>
        <Table
          caption={t("Bulk actions")}
          items={actions}
          columns={[
            {
              title: t("Change"),
              cell: ({ id, name }) => (
                <Link class="link" href={`/admin/bulk-actions/${id}`}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            },
            { title: t("Started by"), cell: ({ actor }) => <bdi>{actor}</bdi> },
            {
              title: t("Started"),
              isShort: true,
              cell: ({ created_at }) => <Moment time={created_at} />,
            },
            { title: t("State"), isShort: true, cell: ({ state }) => text.states[state] },
            {
              title: t("Users"),
              isAtEnd: true,
              isShort: true,
              cell: ({ done, total }) => t("{done} of {total}", { done, total }),
            },
            {
              title: t("Not changed"),
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
          <p class="mt-3 text-small text-soft">
            {t("Only the newest {count} are listed.", { count: MAX_LISTED })}
          </p>
        )}
      </>
    );
  },
});
