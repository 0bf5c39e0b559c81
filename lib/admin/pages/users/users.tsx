import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import type { Column } from "@/components/admin/DataTable.tsx";
import { EmptyState } from "@/components/admin/EmptyState.tsx";
import { FilterField, FilterForm, FilterSelect } from "@/components/admin/FilterForm.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { readLastActivity } from "@/lib/chat/activity/store.ts";
import { listBulkActions } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import type { BotType, UserRecord } from "@/lib/chat/users/model.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import { QUIET_BUTTON, TAB, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { Table } from "../../declare/list.tsx";
import { adminPage } from "../../declare/page.tsx";
import { SelectionBar } from "../../declare/selection.tsx";
import { useTexts } from "../../declare/texts.ts";
import { type ShownAccount, toAvatarPath, toShownAccount } from "../../shown_account.ts";
import { Avatar } from "./avatar.tsx";
import { always, ofAccount } from "../../events/shown_events.ts";
import { readListQuery, readUserSlice, showsActivity } from "../../users/users_list.ts";
import { toUserParams, userListPaths, type UserQuery } from "../../users/users_query.ts";

const texts = {
  newBotLink: "Create bot",
  people: "People",
  bots: "Bots",
  deactivated: "Deactivated",
  newLink: "Create account",
  inviteLink: "Invite people",
  tabs: "Accounts",
  searchLabel: "Search by name or email address",
  anyRole: "All roles",
  activity: "Activity",
  activities: {
    any: "Any",
    active7: "Active in the last 7 days",
    active30: "Active in the last 30 days",
    inactive30: "Not active for 30 days",
    inactive90: "Not active for 90 days",
    never: "Never active",
  },
  importLink: "Import users",
  exportCsv: "Export as CSV",
  found: { one: "{count} account", other: "{count} accounts" },
  person: "Name",
  address: "Email address",
  role: "Role",
  joined: "Joined",
  lastActive: "Last active",
  kind: "Type",
  owner: "Owner",
  hidden: "hidden",
  never: "No recent activity",
  now: "now",
  you: "you",
  bot: "bot",
  nobody: "Nobody",
  botKinds: { 1: "Generic", 2: "Incoming webhook", 3: "Outgoing webhook", 4: "Embedded" },
  emptySearch: "No users match “{query}”.",
  emptySearchAdvice: "Enter part of a name or email address.",
  emptyFilter: "No users match these filters.",
  emptyFilterAdvice: "Choose another role or activity, or clear the filters.",
  emptyBots: "There are no bots yet.",
  emptyBotsAdvice: "A bot is an account for a program. Users create their own bots.",
  emptyDeactivated: "There are no deactivated accounts.",
  emptyDeactivatedAdvice: "Deactivated accounts appear here. Their messages are kept.",
  emptyPeople: "There are no users.",
  created: "Account of {name} created.",
};

/** An account in the list. */
interface ListedUser extends ShownAccount {
  /** Path of the avatar; null for the generated one. */
  readonly avatar: string | null;
  /** Milliseconds since 1970 UTC; null when unknown. */
  readonly lastActive: number | null;
  /** Null for users who are not bots. */
  readonly bot: { readonly type: BotType; readonly owner: string | null } | null;
}

const MINUTE_MS = 60_000;
/** Number of the newest bulk actions among which running ones are shown. */
const MAX_RUNNING = 5;

type UsersData = Awaited<ReturnType<typeof loadUsers>>;

async function loadUsers(request: AdminRequest) {
  const { chat, realm } = request;
  const query = readListQuery(request);
  const { users, count, hasMore } = await readUserSlice(request, query);
  const showsPresence = showsActivity(realm, query);
  const times = showsPresence ? await readLastActivity(chat, realm.id, users.map(({ id }) => id)) : [];
  const directory = await readDirectory(chat, realm.id);
  return {
    paths: userListPaths(query, hasMore ? users.at(-1)?.id ?? null : null),
    users: users.map((user, at) => toListed(request, directory, { user, lastActive: times[at] ?? null })),
    query,
    params: toUserParams({ ...query, after: null }),
    running: await listRunning(request),
    count,
    showsPresence,
    now: chat.clock.now(),
  };
}

async function listRunning({ chat, realm }: AdminRequest) {
  const newest = await listBulkActions(chat, realm.id, MAX_RUNNING);
  return newest.filter(({ state }) => state === "running")
    .map(({ id, change, done, total }) => ({ id, kind: change.kind, done, total }));
}

function toListed(
  { user: viewer }: AdminRequest,
  { byId }: Directory,
  { user, lastActive }: { user: UserRecord; lastActive: number | null },
): ListedUser {
  const owner = byId.get(user.bot_owner_id ?? 0)?.full_name ?? null;
  return {
    ...toShownAccount(user, viewer),
    avatar: user.avatar === null ? null : toAvatarPath(user),
    lastActive,
    bot: user.bot_type === null ? null : { type: user.bot_type, owner },
  };
}

const TABS = ["people", "bots", "deactivated"] as const;

/** The page of all accounts: search, sorting and pages. */
export const usersPage = adminPage({
  path: "/admin/users",
  load: loadUsers,
  title: "Users",
  lede: "Accounts of people and bots.",
  actions: () => {
    const { text, messages } = useTexts(texts);
    const links = [
      ["/admin/invitations", text.inviteLink],
      ["/admin/bulk-actions", messages.bulkActions.listLink],
      ["/admin/users/import", text.importLink],
      ["/admin/bots/new", text.newBotLink],
      ["/admin/users/new", text.newLink],
    ] as const;
    return (
      <div class="flex flex-wrap gap-3">
        {links.map(([path, name]) => (
          <Link key={path} class={`${QUIET_BUTTON} no-underline`} href={path}>{name}</Link>
        ))}
      </div>
    );
  },
  shows: { realm_user: ofAccount, realm_bot: always },
  view: ({ data }) => (
    <>
      <RunningActions data={data} />
      <Tabs data={data} />
      <UserFilter data={data} />
      <Found data={data} />
    </>
  ),
});

function Tabs({ data: { query, paths } }: { data: UsersData }) {
  const { text } = useTexts(texts);
  return (
    <nav aria-label={text.tabs} class="mb-5 flex flex-wrap gap-x-6 border-b border-rule">
      {TABS.map((tab) => (
        <Link
          key={tab}
          href={paths.tabs[tab]}
          aria-current={tab === query.tab ? "page" : undefined}
          class={TAB}
        >
          {text[tab]}
        </Link>
      ))}
    </nav>
  );
}

/** Checkboxes of the list, whose form opens the page that changes the selected accounts. */
const selection = {
  formId: "user-selection",
  name: "user",
  toValue: ({ id }: ListedUser) => String(id),
  toName: ({ name }: ListedUser) => name,
};

function ChangeSelected({ data: { params, count } }: { data: UsersData }) {
  const { messages: { bulkActions: text }, formatter } = useAdmin();
  return (
    <SelectionBar of={selection} to="/admin/bulk-actions/new" hidden={params}>
      <button type="submit" class={QUIET_BUTTON}>{text.changeSelected}</button>
      <button type="submit" name="all" value="1" class={WORD_BUTTON}>
        {formatter.t(text.changeAll, { count })}
      </button>
    </SelectionBar>
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
  const { text, t, messages } = useTexts(texts);
  const { query, paths, count } = data;
  if (count === 0) return <NobodyFound query={query} />;
  return (
    <section aria-label={text[query.tab]}>
      <p class="mb-1 flex flex-wrap items-center gap-x-5 text-small text-soft">
        {t(text.found, { count })}
        <Link class="link inline-flex min-h-8 items-center" href={paths.csv} download>
          {text.exportCsv}
        </Link>
      </p>
      <UserTable data={data} />
      {query.tab !== "deactivated" && <ChangeSelected data={data} />}
      <nav aria-label={text[query.tab]} class="mt-5 flex flex-wrap gap-x-5 gap-y-2">
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
  const { text, t } = useTexts(texts);
  const { tab, search, role, activity } = query;
  if (role !== null || activity !== "any") {
    return <EmptyState title={text.emptyFilter}>{text.emptyFilterAdvice}</EmptyState>;
  }
  if (search !== "") {
    return (
      <EmptyState title={t(text.emptySearch, { query: search })}>
        {text.emptySearchAdvice}
      </EmptyState>
    );
  }
  if (tab === "bots") return <EmptyState title={text.emptyBots}>{text.emptyBotsAdvice}</EmptyState>;
  return tab === "deactivated"
    ? <EmptyState title={text.emptyDeactivated}>{text.emptyDeactivatedAdvice}</EmptyState>
    : <EmptyState title={text.emptyPeople} />;
}

const ROLES = [100, 200, 300, 400, 600] as const;

/** Renders the filter of the list of accounts: text, role and activity. */
function UserFilter({ data: { query, paths, showsPresence } }: { data: UsersData }) {
  const { text, messages } = useTexts(texts);
  const roles = ROLES.map((role) => [String(role), messages.shell.roles[role]] as const);
  return (
    <FilterForm
      clearPath={paths.unfiltered}
      hidden={toHidden(query)}
      button={messages.common.searchButton}
    >
      <FilterField name="q" label={text.searchLabel} value={query.search} />
      {/* A map, because an object would put its numeric keys before the empty one. */}
      <FilterSelect
        name="role"
        label={text.role}
        value={query.role === null ? "" : String(query.role)}
        choices={new Map([["", text.anyRole], ...roles])}
      />
      {showsPresence && (
        <FilterSelect
          name="activity"
          label={text.activity}
          value={query.activity}
          choices={text.activities}
        />
      )}
    </FilterForm>
  );
}

/** The tab and the order stay as they are. */
function toHidden({ tab, sort, isReversed }: UserQuery): Record<string, string> {
  const order = `${isReversed ? "-" : ""}${sort}`;
  return { ...(tab === "people" ? {} : { tab }), ...(order === "name" ? {} : { sort: order }) };
}

/** Renders a page of accounts as a table with sortable columns. */
function UserTable({ data: { users, query, paths, showsPresence, now } }: { data: UsersData }) {
  const { text, messages, formatter } = useTexts(texts);
  const isOfBots = query.tab === "bots";
  const sorted = (sort: UserQuery["sort"], title: string): Column => ({
    title,
    sortPath: paths.sorts[sort],
    sorted: query.sort !== sort ? undefined : query.isReversed ? "descending" : "ascending",
  });
  const columns = [
    {
      ...sorted("name", text.person),
      cell: (user: ListedUser) => <Name user={user} />,
    },
    { title: text.address, cell: (user: ListedUser) => <Address user={user} /> },
    ...(isOfBots
      ? [
        { title: text.kind, cell: ({ bot }: ListedUser) => bot === null ? "" : text.botKinds[bot.type] },
        { title: text.owner, cell: ({ bot }: ListedUser) => <bdi>{bot?.owner ?? text.nobody}</bdi> },
      ]
      : [{
        ...sorted("role", text.role),
        isShort: true,
        cell: ({ role }: ListedUser) => messages.shell.roles[role],
      }]),
    {
      ...sorted("joined", text.joined),
      isShort: true,
      cell: ({ joined }: ListedUser) => formatter.date(joined),
    },
    ...(showsPresence
      ? [{
        ...sorted("active", text.lastActive),
        isAtEnd: true,
        isShort: true,
        cell: ({ lastActive }: ListedUser) =>
          lastActive === null
            ? text.never
            : now - lastActive < MINUTE_MS
            ? text.now
            : formatter.distance(lastActive, now),
      }]
      : []),
  ];
  return (
    <Table
      caption={text[query.tab]}
      items={users}
      columns={columns}
      selection={query.tab === "deactivated" ? undefined : selection}
    />
  );
}

function Name({ user: { id, name, avatar, isSelf, bot, isActive } }: { user: ListedUser }) {
  const { text } = useTexts(texts);
  return (
    <div class="flex min-w-0 items-center gap-x-2.5">
      <Avatar id={id} path={avatar} />
      <span class="min-w-0 break-words">
        <Link class="link font-strong" href={`/admin/users/${id}`}>
          <bdi>{name}</bdi>
        </Link>
        {isSelf && <span class="ms-2 text-small text-soft">{text.you}</span>}
        {!isActive && bot !== null && <span class="ms-2 text-small text-soft">{text.bot}</span>}
      </span>
    </div>
  );
}

function Address({ user: { address } }: { user: ListedUser }) {
  const { text } = useTexts(texts);
  return address === null
    ? <span class="text-soft">{text.hidden}</span>
    : (
      <bdi class="block min-w-44 text-small">
        <BreakableText text={address} />
      </bdi>
    );
}
