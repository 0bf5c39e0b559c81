import { useAdmin } from "@/components/admin/admin_view.ts";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { readLastActivity } from "@/lib/chat/people/activity/store.ts";
import { listBulkActions } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import type { BotType, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { type Directory, readDirectory } from "@/lib/chat/organization/users/store.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, TAB, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { FilteredList, toListPage, toListValues } from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { SelectionBar } from "@/lib/admin/declare/selection.tsx";
import { type ShownAccount, toAvatarPath, toShownAccount } from "@/lib/admin/shown_people.ts";
import { Avatar } from "./avatar.tsx";
import { always, ofAccount } from "@/lib/admin/events/shown_events.ts";
import { listMatchingUsers, readUserList, USER_TABS } from "./users_list.ts";

const texts = {
  newLink: "Create user",
  newBotLink: "Create bot",
  inviteLink: "Invite people",
  importLink: "Import users",
  exportCsv: "Export CSV",
  tabs: "Users",
  people: "Users",
  bots: "Bots",
  deactivated: "Deactivated",
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
  const { tab, spec, view, showsActivity } = readUserList(request);
  const page = toListPage(view, await listMatchingUsers(request));
  const [times, directory, running] = await Promise.all([
    showsActivity ? readLastActivity(chat, realm.id, page.items.map(({ id }) => id)) : [],
    readDirectory(chat, realm.id),
    listRunning(request),
  ]);
  const items = page.items.map((user, at) =>
    toListed(request, directory, { user, lastActive: times[at] ?? null })
  );
  return { ...{ tab, spec, showsActivity, running }, page: { ...page, items }, now: chat.clock.now() };
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

/** The page of all users. */
export const usersPage = adminPage({
  path: "/admin/users",
  load: loadUsers,
  title: "Users",
  lede: "The people and bots of the organization.",
  actions: ({ data: { spec, page: { view } } }) => {
    const { text, messages } = useTexts(texts);
    const query = new URLSearchParams(toListValues(spec, { ...view, page: 1 }));
    const links = [
      ["/admin/users/new", text.newLink],
      ["/admin/bots/new", text.newBotLink],
      ["/admin/users/import", text.importLink],
      ["/admin/bulk-actions", messages.bulkActions.listLink],
    ] as const;
    return (
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        {links.map(([path, name]) => <Link key={path} class={WORD_BUTTON} href={path}>{name}</Link>)}
        <Link class={WORD_BUTTON} href={`/admin/users/export?${query}`} download>{text.exportCsv}</Link>
        <Link class={`${PRIMARY_BUTTON} no-underline`} href="/admin/invitations">{text.inviteLink}</Link>
      </div>
    );
  },
  shows: { realm_user: ofAccount, realm_bot: always },
  view: ({ data }) => (
    <>
      <RunningActions data={data} />
      <Tabs data={data} />
      <UserList data={data} />
    </>
  ),
});

function Tabs({ data }: { data: UsersData }) {
  const { text } = useTexts(texts);
  return (
    <nav aria-label={text.tabs} class="mb-5 flex flex-wrap gap-x-6 border-b border-rule">
      {USER_TABS.map((tab) => (
        <Link
          key={tab}
          href={tab === "people" ? "/admin/users" : `/admin/users?tab=${tab}`}
          aria-current={tab === data.tab ? "page" : undefined}
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

function ChangeSelected({ data: { tab, spec, page } }: { data: UsersData }) {
  const { messages: { bulkActions }, formatter } = useAdmin();
  const isReactivation = tab === "deactivated";
  const text = isReactivation ? { ...bulkActions, ...bulkActions.reactivation } : bulkActions;
  const params = Object.fromEntries(toListValues(spec, { ...page.view, page: 1 }));
  return (
    <SelectionBar
      of={selection}
      to="/admin/bulk-actions/new"
      hidden={isReactivation ? { ...params, what: "reactivate" } : params}
    >
      <button type="submit" class={QUIET_BUTTON}>{text.changeSelected}</button>
      <button type="submit" name="all" value="1" class={WORD_BUTTON}>
        {formatter.t(text.changeAll, { count: page.count })}
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

function UserList({ data }: { data: UsersData }) {
  const { text, messages, formatter } = useTexts(texts);
  const { tab, spec, page, showsActivity, now } = data;
  const distance = (time: number) => now - time < MINUTE_MS ? text.now : formatter.distance(time, now);
  return (
    <FilteredList
      of={spec}
      page={page}
      selection={selection}
      columns={[
        { title: text.person, sort: "name", cell: (user: ListedUser) => <Name user={user} /> },
        { title: text.address, cell: (user: ListedUser) => <Address user={user} /> },
        ...(tab === "bots"
          ? [
            { title: text.kind, cell: ({ bot }: ListedUser) => bot === null ? "" : text.botKinds[bot.type] },
            { title: text.owner, cell: ({ bot }: ListedUser) => <bdi>{bot?.owner ?? text.nobody}</bdi> },
          ]
          : [{
            title: text.role,
            sort: "role",
            isShort: true,
            cell: ({ role }: ListedUser) => messages.shell.roles[role],
          }]),
        {
          title: text.joined,
          sort: "joined",
          isShort: true,
          cell: ({ joined }: ListedUser) => formatter.date(joined),
        },
        ...(showsActivity
          ? [{
            title: text.lastActive,
            sort: "active",
            isAtEnd: true,
            isShort: true,
            cell: ({ lastActive }: ListedUser) => lastActive === null ? text.never : distance(lastActive),
          }]
          : []),
      ]}
    >
      <ChangeSelected data={data} />
    </FilteredList>
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
