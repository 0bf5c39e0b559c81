import type { UserQuery } from "@/lib/admin/users_list.ts";
import type { ListedUser, UsersData } from "@/lib/admin/users_page.ts";
import type { AdminSession } from "@/lib/http/admin_session.ts";
import { useAdmin } from "../admin_view.ts";
import { type Column, DataTable } from "../DataTable.tsx";

/** A page of accounts as a table; its titles sort it. */
export function UserTable({ data }: { data: UsersData }) {
  const admin = useAdmin();
  const text = admin.words.users;
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
        ...(showsPresence ? [{ title: text.lastActive, isAtEnd: true, isShort: true }] : []),
      ]}
      rows={data.users.map((user) => ({
        id: String(user.id),
        cells: [
          <Name key="name" user={user} />,
          <Address key="address" user={user} />,
          ...(isOfBots ? botCells(admin, user) : [admin.words.shell.roles[user.role]]),
          admin.speech.date(user.joined),
          ...(showsPresence ? [seenAt(admin, data, user)] : []),
        ],
      }))}
    />
  );
}

function Name({ user: { id, name, isSelf, bot, isActive } }: { user: ListedUser }) {
  const { words } = useAdmin();
  return (
    <span class="min-w-0 break-words">
      <a class="link font-strong" href={`/admin/users/${id}`}>
        <bdi>{name}</bdi>
      </a>
      {isSelf && <span class="ms-2 text-small text-soft">{words.users.you}</span>}
      {!isActive && bot !== null && <span class="ms-2 text-small text-soft">{words.users.bot}</span>}
    </span>
  );
}

function Address({ user: { address } }: { user: ListedUser }) {
  const { words } = useAdmin();
  return address === null
    ? <span class="text-soft">{words.users.hidden}</span>
    : <bdi class="block min-w-44 text-small">{address}</bdi>;
}

const MINUTE_MS = 60_000;

function seenAt({ words, speech }: AdminSession, { now }: UsersData, { lastActive }: ListedUser): string {
  if (lastActive === null) return words.users.never;
  return now - lastActive < MINUTE_MS ? words.users.now : speech.distance(lastActive, now);
}

function botCells({ words }: AdminSession, { bot }: ListedUser) {
  return [
    bot === null ? "" : words.users.botKinds[bot.type],
    <bdi key="owner">{bot?.owner ?? words.users.nobody}</bdi>,
  ];
}
