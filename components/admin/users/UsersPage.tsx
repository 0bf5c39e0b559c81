import SelectRows from "@/islands/admin/users/SelectRows.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserQuery } from "@/lib/admin/users/users_query.ts";
import type { UsersData } from "@/lib/admin/users/users_page.ts";
import { QUIET_BUTTON, TAB, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { UserFilter } from "./UserFilter.tsx";
import { UserTable } from "./UserTable.tsx";
import { Link } from "../../Link.tsx";

const TABS = ["people", "bots", "deactivated"] as const;

/** Renders the list of accounts: search, sorting and pages. */
export function UsersPage({ data }: AdminPageData<UsersData>) {
  const { messages } = useAdmin();
  const text = messages.users;
  return (
    <>
      <AdminHeading
        title={text.title}
        lede={text.lede}
        actions={
          <div class="flex flex-wrap gap-3">
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/invitations">{text.inviteLink}</Link>
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/bulk-actions">
              {messages.bulkActions.listLink}
            </Link>
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/users/import">{text.importLink}</Link>
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/bots/new">{messages.bots.newLink}</Link>
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/users/new">{text.newLink}</Link>
          </div>
        }
      />
      <RunningActions data={data} />
      <Tabs data={data} />
      <UserFilter data={data} />
      <Found data={data} />
    </>
  );
}

function Tabs({ data: { query, paths } }: { data: UsersData }) {
  const { messages } = useAdmin();
  return (
    <nav aria-label={messages.users.tabs} class="mb-5 flex flex-wrap gap-x-6 border-b border-rule">
      {TABS.map((tab) => (
        <Link
          key={tab}
          href={paths.tabs[tab]}
          aria-current={tab === query.tab ? "page" : undefined}
          class={TAB}
        >
          {messages.users[tab]}
        </Link>
      ))}
    </nav>
  );
}

const SELECTION = "user-selection";

/** Renders the list as a form that selects accounts and opens the page that changes them. */
function Selection({ data }: { data: UsersData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  return (
    <form id={SELECTION} action="/admin/bulk-actions/new">
      {Object.entries(data.params).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <UserTable data={data} />
      <div class="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 text-small">
        <SelectRows
          formId={SELECTION}
          label={text.selectPage}
          count={text.selectedCount}
          language={formatter.language}
        />
        <button type="submit" class={QUIET_BUTTON}>{text.changeSelected}</button>
        <button type="submit" name="all" value="1" class={WORD_BUTTON}>
          {formatter.t(text.changeAll, { count: data.count })}
        </button>
      </div>
    </form>
  );
}

function RunningActions({ data: { running } }: { data: UsersData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.bulkActions;
  if (running.length === 0) return null;
  return (
    <ul aria-label={text.runningTitle} class="mb-5 rounded-control bg-wash px-4 py-2.5">
      {running.map(({ id, kind, done, total }) => (
        <li key={id}>
          <Link class="link" href={`/admin/bulk-actions/${id}`}>
            {formatter.t(text.running, { title: text.titles[kind], done, total })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Found({ data }: { data: UsersData }) {
  const { messages, formatter } = useAdmin();
  const { query, paths, count } = data;
  if (count === 0) return <NobodyFound query={query} />;
  return (
    <section aria-label={messages.users[query.tab]}>
      <p class="mb-1 flex flex-wrap items-center gap-x-5 text-small text-soft">
        {formatter.t(messages.users.found, { count })}
        <Link class="link inline-flex min-h-8 items-center" href={paths.csv} download>
          {messages.users.exportCsv}
        </Link>
      </p>
      {query.tab === "deactivated" ? <UserTable data={data} /> : <Selection data={data} />}
      <nav aria-label={messages.users[query.tab]} class="mt-5 flex flex-wrap gap-x-5 gap-y-2">
        {paths.first !== null && (
          <Link class="link inline-flex min-h-11 items-center" href={paths.first}>
            {messages.common.firstPage}
          </Link>
        )}
        {paths.next !== null && (
          <Link class="link inline-flex min-h-11 items-center" href={paths.next}>
            {messages.common.nextPage}
          </Link>
        )}
      </nav>
    </section>
  );
}

function NobodyFound({ query }: { query: UserQuery }) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const { tab, search, role, activity } = query;
  if (role !== null || activity !== "any") {
    return <EmptyState title={text.emptyFilter}>{text.emptyFilterAdvice}</EmptyState>;
  }
  if (search !== "") {
    return (
      <EmptyState title={formatter.t(text.emptySearch, { query: search })}>
        {text.emptySearchAdvice}
      </EmptyState>
    );
  }
  if (tab === "bots") return <EmptyState title={text.emptyBots}>{text.emptyBotsAdvice}</EmptyState>;
  return tab === "deactivated"
    ? <EmptyState title={text.emptyDeactivated}>{text.emptyDeactivatedAdvice}</EmptyState>
    : <EmptyState title={text.emptyPeople} />;
}
