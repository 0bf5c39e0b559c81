import { ExportButton } from "@/components/admin/ActionButton.tsx";
import { FactList } from "@/components/admin/FactList.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { Link } from "@/components/Link.tsx";
import {
  filterMembers,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { SYSTEM_GROUPS } from "@/lib/chat/organization/permissions/model/system_groups.ts";
import type { GroupRecord } from "@/lib/chat/organization/user_groups/model/group.ts";
import { readUserList } from "@/lib/chat/organization/users/store.ts";
import { isAdmin, type UserList } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { exportForm, FilteredList, NamedItem, readListView, toListPage } from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { always } from "@/lib/admin/events/shown_events.ts";
import { ROLE_GROUP_NAMES } from "@/lib/admin/permissions/group_names.ts";

const texts = {
  emptyAdvice: "Create groups for teams or responsibilities. Members get the permissions of their groups.",
  rolesLede:
    "Every organization has these groups. Their members depend on user roles and cannot be changed here.",
  roles: {
    "role:nobody": "No users.",
    "role:owners": "Owners of the organization.",
    "role:administrators": "Administrators and owners.",
    "role:moderators": "Moderators, administrators and owners.",
    "role:fullmembers": "Members who completed the waiting period, moderators and above.",
    "role:members": "All users except guests.",
    "role:everyone": "All users, including guests.",
  },
};

const NEW = "/admin/groups/new";
const LIST = {
  path: "/admin/groups",
  title: "Groups",
  searchLabel: "Name",
  filters: {
    state: {
      label: "Status",
      choices: { active: "Active", deactivated: "Deactivated", all: "Active and deactivated" },
    },
  },
  sorts: ["name", "members"],
  range: { one: "{from} of {count} group", other: "{from}–{to} of {count} groups" },
  nothing: {
    title: "No matching groups.",
    advice: "Change the filters, or include deactivated groups.",
    link: "Show all groups",
    to: "/admin/groups?state=all",
  },
};

/**
 * Finds the groups that the page's address asks for, in its order, and whether there are any at all. `addAll` adds the
 * number of members that they have with their subgroups.
 */
async function findGroups(request: AdminRequest) {
  const { chat, realm, opens } = request;
  const view = readListView(LIST, request.query);
  const permissions = await request.readPermissions();
  const users = await readUserList(chat, realm.id);
  const search = view.search.trim().toLowerCase().replace(/^@/, "");
  const { state } = view.values;
  const known = [...permissions.groups.values()].filter(({ id }) => opens(`/admin/groups/${id}`));
  const found = known.filter(({ deactivated, name, description }) =>
    (state === "all" || deactivated === (state === "deactivated")) &&
    `${name}\n${description}`.toLowerCase().includes(search)
  ).sort((one, other) => compareNames(one.name, other.name))
    .map((group) => ({ ...group, direct: countDirect(users, group) }));
  const ascending = view.sort === "name" ? found : found.toSorted((one, other) => one.direct - other.direct);
  return {
    view,
    groups: view.isDescending ? ascending.toReversed() : ascending,
    addAll: (group: typeof found[number]) => ({ ...group, all: countAll(permissions, users, group) }),
    isEmpty: known.length === 0,
  };
}

/** Number of groups of a file whose members are counted before the event loop takes its turn. */
const COUNTED_AT_ONCE = 20;

const exportGroups = exportForm({
  name: "groups.csv",
  list: async (request) => {
    const { groups, addAll } = await findGroups(request);
    return await mapInSlices(groups, addAll, COUNTED_AT_ONCE);
  },
  columns: {
    "Group ID": ({ id }) => String(id),
    Name: ({ name }) => name,
    Description: ({ description }) => description,
    Members: ({ direct }) => String(direct),
    "Including subgroups": ({ all }) => String(all),
    Status: ({ deactivated }, { t }) => t(deactivated ? "Deactivated" : "Active"),
  },
});

export const groupsPage = adminPage({
  path: LIST.path,
  title: LIST.title,
  find: { words: "teams roles members" },
  load: async (request) => {
    const { view, groups, addAll, isEmpty } = await findGroups(request);
    const page = toListPage(view, groups);
    return { page: { ...page, items: page.items.map(addAll) }, isEmpty };
  },
  lede: "Use groups to mention, subscribe and give permissions to many users together.",
  actions: ({ data: { isEmpty } }) => {
    const { t, opens } = useTexts(null);
    return (
      <>
        {!isEmpty && <ExportButton />}
        {opens(NEW) && <Link class={PRIMARY_BUTTON} href={NEW}>{t("Create group")}</Link>}
      </>
    );
  },
  shows: { user_group: always },
  forms: [exportGroups],
  view: ({ data: { page, isEmpty } }) => {
    const { t, text, formatter, opens, user } = useTexts(texts);
    return (
      <>
        {isEmpty
          ? (
            <EmptyState title={t(isAdmin(user) ? "There are no groups yet." : "You manage no groups yet.")}>
              {text.emptyAdvice} {opens(NEW) && <Link class="link" href={NEW}>{t("Create group")}</Link>}
            </EmptyState>
          )
          : (
            <FilteredList
              of={LIST}
              page={page}
              isFaint={({ deactivated }) => deactivated}
              columns={[
                {
                  title: t("Group"),
                  sort: "name",
                  cell: ({ id, name, description, deactivated }) => (
                    <NamedItem
                      path={`/admin/groups/${id}`}
                      name={name}
                      marks={deactivated ? [t("deactivated")] : []}
                      description={description}
                      width="max-w-[40rem]"
                    />
                  ),
                },
                {
                  title: t("Members"),
                  sort: "members",
                  isDescendingFirst: true,
                  isAtEnd: true,
                  cell: ({ direct }) => formatter.number(direct),
                },
                { title: t("Including subgroups"), isAtEnd: true, cell: ({ all }) => formatter.number(all) },
              ]}
            />
          )}
        <Roles />
      </>
    );
  },
});

/** Counts the active accounts that are direct members of a group. */
export function countDirect({ activeIds }: UserList, { members }: GroupRecord): number {
  return members.filter((member) => activeIds.has(member)).length;
}

/** Counts the active accounts in a group and its subgroups. */
export function countAll(permissions: PermissionContext, users: UserList, group: GroupRecord): number {
  return group.subgroups.length === 0
    ? countDirect(users, group)
    : filterMembers(permissions, group.id, users.active).length;
}

function Roles() {
  const { t, text } = useTexts(texts);
  const roles = SYSTEM_GROUPS.map(({ name }) => name).filter((name) => name !== "role:internet");
  return (
    <section aria-labelledby="roles-title" class="mt-10">
      <h2 id="roles-title">{t("Roles")}</h2>
      <p class="mt-1 mb-4 max-w-[58ch] text-small text-soft">{text.rolesLede}</p>
      <FactList facts={roles.map((role) => [t(ROLE_GROUP_NAMES[role]), text.roles[role]])} />
    </section>
  );
}
