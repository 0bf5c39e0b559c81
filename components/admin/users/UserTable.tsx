import type { UserQuery } from "@/lib/admin/users/users_query.ts";
import type { ListedUser, UsersData } from "@/lib/admin/users/users_page.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import { useAdmin } from "../admin_view.ts";
import { type Column, DataTable } from "../DataTable.tsx";
import { BreakableText } from "../../BreakableText.tsx";
import { Link } from "../../Link.tsx";

/** Renders a page of accounts as a table with sortable columns. */
export function UserTable({ data }: { data: UsersData }) {
  const admin = useAdmin();
  const text = admin.messages.users;
  const { query, paths, showsPresence } = data;
  const isOfBots = query.tab === "bots";
  const sorted = (sort: UserQuery["sort"], title: string): Column => ({
    title,
    sortPath: paths.sorts[sort],
    sorted: query.sort !== sort ? undefined : query.isReversed ? "descending" : "ascending",
  });
  return (
    <DataTable
      caption={text[query.tab]}
      columns={[
        sorted("name", text.person),
        { title: text.address },
        ...(isOfBots
          ? [{ title: text.kind }, { title: text.owner }]
          : [{ ...sorted("role", text.role), isShort: true }]),
        { ...sorted("joined", text.joined), isShort: true },
        ...(showsPresence ? [{ ...sorted("active", text.lastActive), isAtEnd: true, isShort: true }] : []),
      ]}
      rows={data.users.map((user) => ({
        id: String(user.id),
        cells: [
          <Name key="name" user={user} isSelectable={query.tab !== "deactivated"} />,
          <Address key="address" user={user} />,
          ...(isOfBots ? botCells(admin, user) : [admin.messages.shell.roles[user.role]]),
          admin.formatter.date(user.joined),
          ...(showsPresence ? [seenAt(admin, data, user)] : []),
        ],
      }))}
    />
  );
}

function Name({ user, isSelectable }: { user: ListedUser; isSelectable: boolean }) {
  const { messages, formatter } = useAdmin();
  const { id, name, avatar, isSelf, bot, isActive } = user;
  return (
    <div class="flex min-w-0 items-center gap-x-2.5">
      {isSelectable && (
        <input
          type="checkbox"
          name="user"
          value={String(id)}
          autocomplete="off"
          aria-label={formatter.t(messages.bulkActions.select, { name })}
          class="size-5 flex-none accent-ink"
        />
      )}
      <img
        src={avatar}
        alt=""
        width={28}
        height={28}
        loading="lazy"
        class="size-7 flex-none rounded-small bg-wash"
      />
      <span class="min-w-0 break-words">
        <Link class="link font-strong" href={`/admin/users/${id}`}>
          <bdi>{name}</bdi>
        </Link>
        {isSelf && <span class="ms-2 text-small text-soft">{messages.users.you}</span>}
        {!isActive && bot !== null && <span class="ms-2 text-small text-soft">{messages.users.bot}</span>}
      </span>
    </div>
  );
}

function Address({ user: { address } }: { user: ListedUser }) {
  const { messages } = useAdmin();
  return address === null
    ? <span class="text-soft">{messages.users.hidden}</span>
    : (
      <bdi class="block min-w-44 text-small">
        <BreakableText text={address} />
      </bdi>
    );
}

const MINUTE_MS = 60_000;

function seenAt(
  { messages, formatter }: AdminSession,
  { now }: UsersData,
  { lastActive }: ListedUser,
): string {
  if (lastActive === null) return messages.users.never;
  return now - lastActive < MINUTE_MS ? messages.users.now : formatter.distance(lastActive, now);
}

function botCells({ messages }: AdminSession, { bot }: ListedUser) {
  return [
    bot === null ? "" : messages.users.botKinds[bot.type],
    <bdi key="owner">{bot?.owner ?? messages.users.nobody}</bdi>,
  ];
}
