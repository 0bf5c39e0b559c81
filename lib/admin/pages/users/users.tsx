import { BOT_KINDS, BULK_ACTION_TITLES, ROLE_TITLES } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Tabs } from "@/components/admin/Tabs.tsx";
import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { readLastActivity } from "@/lib/chat/people/activity/store.ts";
import { drawIdenticon } from "@/lib/chat/people/users/avatar.ts";
import { listBulkActions } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Translate } from "@/lib/ui/translate.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { FilteredList, toListPage, toListValues } from "@/lib/admin/declare/list.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { SelectionBar } from "@/lib/admin/declare/selection.tsx";
import { addressFor, toAvatarPath } from "@/lib/admin/shown_people.ts";
import { always, ofAccount } from "@/lib/admin/events/shown_events.ts";
import { listMatchingUsers, readUserList, USER_TABS } from "./users_list.ts";

const texts = {
  all: {
    people: { one: "Change {count} user", other: "Change all {count} users" },
    bots: { one: "Change {count} bot", other: "Change all {count} bots" },
    deactivated: { one: "Reactivate {count} user", other: "Reactivate all {count} users" },
  },
};

const TABS = [
  { path: "/admin/users", name: "Users" },
  { path: "/admin/users?tab=bots", name: "Bots" },
  { path: "/admin/users?tab=deactivated", name: "Deactivated" },
];

/** Number of the newest bulk actions among which running ones are shown. */
const MAX_RUNNING = 5;

type UsersData = Awaited<ReturnType<typeof loadUsers>>;

async function loadUsers(request: AdminRequest) {
  const { chat, realm } = request;
  const { tab, spec, view, showsActivity } = readUserList(request);
  const page = toListPage(view, await listMatchingUsers(request));
  const [times, { byId }, newest] = await Promise.all([
    showsActivity ? readLastActivity(chat, realm.id, page.items.map(({ id }) => id)) : [],
    readDirectory(chat, realm.id),
    listBulkActions(chat, realm.id, MAX_RUNNING),
  ]);
  const running = newest.filter(({ state }) => state === "running");
  return {
    ...{ tab, spec, page, showsActivity, running, byId, now: chat.clock.now() },
    /** Milliseconds since 1970 UTC by user id. */
    lastActive: new Map(page.items.map(({ id }, at) => [id, times[at] ?? null])),
  };
}

export const usersPage = adminPage({
  path: "/admin/users",
  find: {
    words:
      "people accounts members list search roles moderators owners guests change delete remove deactivate suspend ban avatar password reset sign-in link",
  },
  load: loadUsers,
  title: "Users",
  lede: "The users and bots of the organization.",
  actions: ({ data: { spec, page: { view } } }) => {
    const { t } = useAdmin();
    const query = new URLSearchParams(toListValues(spec, { ...view, page: 1 }));
    const links = [
      ["/admin/users/new", t("Create user")],
      ["/admin/bots/new", t("Create bot")],
      ["/admin/users/import", t("Import users")],
      ["/admin/bulk-actions", t("Bulk actions")],
    ] as const;
    return (
      <>
        {links.map(([path, name]) => <Link key={path} class={WORD_BUTTON} href={path}>{name}</Link>)}
        <Link class={WORD_BUTTON} href={`/admin/users/export?${query}`} download>{t("Export CSV")}</Link>
        <Link class={`${PRIMARY_BUTTON} no-underline`} href="/admin/invitations">{t("Invite people")}</Link>
      </>
    );
  },
  shows: { realm_user: ofAccount, realm_bot: always },
  view: ({ data }) => {
    const { t } = useAdmin();
    const tabs = TABS.map(({ path, name }) => ({ path, name: t(name) }));
    return (
      <>
        <RunningActions data={data} />
        <div class="mb-5">
          <Tabs label={t("Users")} tabs={tabs} current={TABS[USER_TABS.indexOf(data.tab)]?.path ?? ""} />
        </div>
        <UserList data={data} />
      </>
    );
  },
});

/** Returns the list that an account is in. */
export function listOf(user: UserRecord, t: Translate) {
  return isBot(user) ? { path: `${usersPage.path}?tab=bots`, name: t("Bots") } : usersPage;
}

export function aboveUser(user: UserRecord, t: Translate) {
  return [listOf(user, t), { path: `/admin/users/${user.id}`, name: user.full_name }];
}

/** Checkboxes of the list, whose form opens the page that changes the selected accounts. */
const selection = {
  formId: "user-selection",
  name: "user",
  toValue: ({ id }: UserRecord) => String(id),
  toName: ({ full_name }: UserRecord) => full_name,
};

function ChangeSelected({ data: { tab, spec, page } }: { data: UsersData }) {
  const { text, t } = useTexts(texts);
  const isReactivation = tab === "deactivated";
  const params = Object.fromEntries(toListValues(spec, { ...page.view, page: 1 }));
  return (
    <SelectionBar
      of={selection}
      to="/admin/bulk-actions/new"
      hidden={isReactivation ? { ...params, what: "reactivate" } : params}
    >
      <button type="submit" class={QUIET_BUTTON}>
        {t(isReactivation ? "Reactivate selected" : "Change selected")}
      </button>
      <button type="submit" name="all" value="1" class={WORD_BUTTON}>
        {t(text.all[tab], { count: page.count })}
      </button>
    </SelectionBar>
  );
}

function RunningActions({ data: { running } }: { data: UsersData }) {
  const { t } = useAdmin();
  if (running.length === 0) return null;
  return (
    <ul aria-label={t("Running bulk actions")} class="mb-5 rounded-control bg-wash px-4 py-2.5">
      {running.map(({ id, change: { kind }, done, total }) => (
        <li key={id}>
          <Link class="link" href={`/admin/bulk-actions/${id}`}>
            {t("{title}: {done} of {total} users", { title: t(BULK_ACTION_TITLES[kind]), done, total })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Formats how long ago an activity was. */
export function formatActivity({ t, formatter }: AdminSession, time: number, now: number): string {
  return now - time < 60_000 ? t("now") : formatter.distance(time, now);
}

function UserList({ data }: { data: UsersData }) {
  const admin = useAdmin();
  const { t, formatter } = admin;
  const { tab, spec, page, showsActivity, byId, lastActive, now } = data;
  return (
    <FilteredList
      of={spec}
      page={page}
      selection={selection}
      columns={[
        { title: t("Name"), sort: "name", cell: (user: UserRecord) => <Name user={user} /> },
        { title: t("Email address"), cell: (user: UserRecord) => <Address user={user} /> },
        ...(tab === "bots"
          ? [
            {
              title: t("Type"),
              cell: ({ bot_type }: UserRecord) => bot_type === null ? "" : t(BOT_KINDS[bot_type]),
            },
            {
              title: t("Owner"),
              cell: ({ bot_owner_id }: UserRecord) => (
                <bdi>{byId.get(bot_owner_id ?? 0)?.full_name ?? t("Nobody")}</bdi>
              ),
            },
          ]
          : [{
            title: t("Role"),
            sort: "role",
            isShort: true,
            cell: ({ role }: UserRecord) => t(ROLE_TITLES[role]),
          }]),
        {
          title: t(tab === "bots" ? "Created" : "Joined"),
          sort: "joined",
          isShort: true,
          cell: ({ date_joined }: UserRecord) => formatter.date(date_joined),
        },
        ...(showsActivity
          ? [{
            title: t("Last active"),
            sort: "active",
            isAtEnd: true,
            isShort: true,
            cell: ({ id }: UserRecord) => {
              const time = lastActive.get(id) ?? null;
              return time === null ? t("No recent activity") : formatActivity(admin, time, now);
            },
          }]
          : []),
      ]}
    >
      <ChangeSelected data={data} />
    </FilteredList>
  );
}

function Name({ user }: { user: UserRecord }) {
  const { t, user: viewer } = useAdmin();
  return (
    <div class="flex min-w-0 items-center gap-x-2.5">
      <Avatar user={user} />
      <span class="min-w-0 break-words">
        <Link class="link font-strong" href={`/admin/users/${user.id}`}>
          <bdi>{user.full_name}</bdi>
        </Link>
        {user.id === viewer.id && <span class="ms-2 text-small text-soft">{t("you")}</span>}
        {!user.is_active && isBot(user) && <span class="ms-2 text-small text-soft">{t("bot")}</span>}
      </span>
    </div>
  );
}

const AVATAR = "size-7 flex-none rounded-small bg-wash";

/** Renders the avatar of an account. A generated one is part of the page, so that it takes no request. */
function Avatar({ user }: { user: UserRecord }) {
  if (user.avatar !== null) {
    return <img src={toAvatarPath(user)} alt="" width={28} height={28} loading="lazy" class={AVATAR} />;
  }
  const { ground, tints, cells } = drawIdenticon(user.id);
  return (
    <svg viewBox="0 0 2 2" aria-hidden="true" class={AVATAR}>
      <path d="M0 0H2V2H0z" fill={`rgb(${ground})`} />
      {cells.map(({ column, row, turns, tint, shape }) => (
        <path
          key={`${column} ${row}`}
          d={shape.path}
          fill={`rgb(${tints[tint]})`}
          transform={`translate(${column} ${row})rotate(${90 * turns} .5 .5)`}
        />
      ))}
    </svg>
  );
}

function Address({ user }: { user: UserRecord }) {
  const { t, user: viewer } = useAdmin();
  const address = addressFor(viewer, user);
  return address === null
    ? <span class="text-soft">{t("hidden")}</span>
    : (
      <bdi class="block min-w-44 text-small">
        <BreakableText text={address} />
      </bdi>
    );
}
