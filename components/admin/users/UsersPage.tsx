import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserQuery } from "@/lib/admin/users/users_list.ts";
import type { UsersData } from "@/lib/admin/users/users_page.ts";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { EmptyState } from "../EmptyState.tsx";
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
            <Link class={`${QUIET_BUTTON} no-underline`} href="/admin/users/new">{text.newLink}</Link>
          </div>
        }
      />
      <Tabs data={data} />
      <Search data={data} />
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
          class={`-mb-px inline-flex min-h-11 items-center border-b-2 no-underline ${
            tab === query.tab
              ? "border-ink font-strong text-ink"
              : "border-transparent text-soft hover:text-ink"
          }`}
        >
          {messages.users[tab]}
        </Link>
      ))}
    </nav>
  );
}

function Search({ data: { query, paths } }: { data: UsersData }) {
  const { messages } = useAdmin();
  const { tab, search, sort, isReversed } = query;
  return (
    <form
      method="get"
      action="/admin/users"
      role="search"
      class="mb-4 flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      {tab !== "people" && <input type="hidden" name="tab" value={tab} />}
      {(sort !== "name" || isReversed) && (
        <input type="hidden" name="sort" value={`${isReversed ? "-" : ""}${sort}`} />
      )}
      <div class="grid w-80 max-w-full min-w-0 gap-y-1.5">
        <label for="q" class={FIELD_LABEL}>{messages.users.searchLabel}</label>
        <input id="q" name="q" type="search" dir="auto" defaultValue={search} class={TEXT_FIELD} />
      </div>
      <button type="submit" class={QUIET_BUTTON}>{messages.common.searchButton}</button>
      {search !== "" && (
        <Link
          class="link inline-flex min-h-11 items-center text-small"
          href={paths.unsearched}
        >
          {messages.common.clear}
        </Link>
      )}
    </form>
  );
}

function Found({ data }: { data: UsersData }) {
  const { messages, formatter } = useAdmin();
  const { query, paths, count } = data;
  if (count === 0) return <NobodyFound query={query} />;
  return (
    <section aria-label={messages.users[query.tab]}>
      <p class="mb-1 text-small text-soft">{formatter.t(messages.users.found, { count })}</p>
      <UserTable data={data} />
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

function NobodyFound({ query: { tab, search } }: { query: UserQuery }) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
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
