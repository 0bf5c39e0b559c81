import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupsData, GroupsView, ListedGroup } from "@/lib/admin/groups/groups_page.ts";
import { PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { DataTable } from "../DataTable.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "../FilterForm.tsx";
import { Pagination } from "../Pagination.tsx";
import { Link } from "../../Link.tsx";

/** Renders the list of groups with its filter, and the roles with their meaning. */
export function GroupsPage({ data }: AdminPageData<GroupsData>) {
  const { messages } = useAdmin();
  const text = messages.groups;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={<Link class={PRIMARY_BUTTON} href="/admin/groups/new">{text.newGroup}</Link>}
      />
      {data.total === 0
        ? (
          <EmptyState title={text.empty}>
            {text.emptyAdvice} <Link class="link" href="/admin/groups/new">{text.emptyLink}</Link>.
          </EmptyState>
        )
        : <GroupList data={data} />}
      <Roles data={data} />
    </>
  );
}

function GroupList({ data }: { data: GroupsData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const { view, groups, count, from } = data;
  const isFiltered = view.search !== "" || view.state !== "active";
  return (
    <section aria-label={text.listTitle}>
      <FilterForm clearPath={isFiltered ? "/admin/groups" : null} button={text.show}>
        <FilterField name="q" label={text.searchLabel} value={view.search} />
        <FilterSelect name="state" label={text.state} value={view.state} choices={text.states} />
      </FilterForm>
      {groups.length === 0
        ? (
          <EmptyState title={text.nothing}>
            {text.nothingAdvice} <Link class="link" href="/admin/groups?state=all">{text.showEvery}</Link>.
          </EmptyState>
        )
        : <GroupTable groups={groups} />}
      <Pagination
        label={text.pages}
        range={formatter.t(text.range, { from: from + 1, to: from + groups.length, count })}
        previous={view.page > 1 ? groupsPath(view, view.page - 1) : null}
        next={data.hasMore ? groupsPath(view, view.page + 1) : null}
        isEmpty={groups.length === 0}
      />
    </section>
  );
}

function groupsPath({ search, state }: GroupsView, page: number): string {
  const query = new URLSearchParams({
    ...(search === "" ? {} : { q: search }),
    ...(state === "active" ? {} : { state }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return query.size === 0 ? "/admin/groups" : `/admin/groups?${query}`;
}

function GroupTable({ groups }: { groups: readonly ListedGroup[] }) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const columns = [
    { title: text.name },
    { title: text.members, isAtEnd: true },
    { title: text.membersInAll, isAtEnd: true },
  ];
  const rows = groups.map((group) => ({
    id: String(group.id),
    isFaint: group.isDeactivated,
    cells: [
      <GroupName key="name" group={group} />,
      formatter.number(group.direct),
      formatter.number(group.all),
    ],
  }));
  return <DataTable caption={text.listTitle} columns={columns} rows={rows} />;
}

function GroupName({ group }: { group: ListedGroup }) {
  const { messages } = useAdmin();
  return (
    <div class="min-w-0 max-w-[40rem] text-start">
      <Link class="link font-strong break-words" href={`/admin/groups/${group.id}`}>
        <bdi>{group.name}</bdi>
      </Link>
      {group.isDeactivated && <span class="ms-2 text-small text-soft">{messages.groups.deactivatedMark}
      </span>}
      {group.description !== "" && (
        <p
          dir="auto"
          title={group.description}
          class="line-clamp-3 text-small text-soft @min-[48rem]:line-clamp-1 @min-[48rem]:break-all"
        >
          {group.description}
        </p>
      )}
    </div>
  );
}

function Roles({ data }: { data: GroupsData }) {
  const { messages } = useAdmin();
  const text = messages.groups;
  return (
    <section aria-labelledby="roles-title" class="mt-10">
      <h2 id="roles-title">{text.rolesTitle}</h2>
      <p class="mt-1 mb-4 max-w-[58ch] text-small text-soft">{text.rolesLede}</p>
      <dl class="border-t border-rule">
        {data.roles.map((role) => (
          <div key={role} class="flex flex-wrap gap-x-4 border-b border-rule py-2.5">
            <dt class="flex-[1_1_12rem] font-medium">{messages.permissions.roleNames[role]}</dt>
            <dd class="flex-[2_1_16rem] text-soft">{messages.permissions.roleMeanings[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
