import type { Context } from "fresh";
import { listLastActivity } from "@/lib/chat/people/activity/store.ts";
import {
  canSeeEmail,
  isBot,
  type Role,
  ROLES,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { readDirectory } from "@/lib/chat/organization/users/store.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import type { State } from "@/lib/services/services.ts";
import { type AdminRequest, adminRequest } from "@/lib/admin/admin_request.ts";
import { toCsvDownload } from "@/lib/admin/csv.ts";
import { type ListView, readListView } from "@/lib/admin/declare/list.tsx";

/** Names of the roles in files, the same in every language. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  100: "owner",
  200: "administrator",
  300: "moderator",
  400: "member",
  600: "guest",
};

/** Kinds of users that the list shows, each by itself. */
export const USER_TABS = ["people", "bots", "deactivated"] as const;

/** Whether a user was active at a number of days before now, which is Infinity for one who never was. */
const ACTIVITIES: Readonly<Record<string, (days: number) => boolean>> = {
  any: () => true,
  active7: (days) => days <= 7,
  active30: (days) => days <= 30,
  inactive30: (days) => days > 30,
  inactive90: (days) => days > 90,
  never: (days) => days === Infinity,
};

const NOTHING = {
  people: {
    title: "No users match.",
    advice: "Change the search or the filters.",
    link: "Show all users",
    to: "/admin/users",
  },
  bots: {
    title: "There are no such bots.",
    advice: "A bot is a user for a program. Users create their own bots.",
    link: "Create bot",
    to: "/admin/bots/new",
  },
  deactivated: {
    title: "There are no such deactivated users.",
    advice: "Deactivated users appear here. Their messages are kept.",
    link: "Back to users",
    to: "/admin/users",
  },
};

/** Reads which users a request asks for; only people are listed by activity, and only where presence is shown. */
export function readUserList({ query, realm }: AdminRequest) {
  const tab = USER_TABS.find((known) => known === query.get("tab")) ?? "people";
  const showsActivity = tab === "people" && !realm.settings.presence_disabled;
  const spec = {
    path: "/admin/users",
    fixed: tab === "people" ? {} : { tab },
    title: { people: "Users", bots: "Bots", deactivated: "Deactivated users" }[tab],
    searchLabel: "Search by name or email address",
    filters: {
      role: {
        label: "Role",
        choices: {
          any: "All roles",
          owner: "Owner",
          administrator: "Administrator",
          moderator: "Moderator",
          member: "Member",
          guest: "Guest",
        },
      },
      ...(showsActivity
        ? {
          activity: {
            label: "Activity",
            choices: {
              any: "Any",
              active7: "Active in the last 7 days",
              active30: "Active in the last 30 days",
              inactive30: "Not active for 30 days",
              inactive90: "Not active for 90 days",
              never: "Never active",
            },
          },
        }
        : {}),
    },
    sorts: ["name", "role", "joined", ...(showsActivity ? ["active"] : [])],
    range: tab === "bots"
      ? { one: "{from} of {count} bot", other: "{from}–{to} of {count} bots" }
      : { one: "{from} of {count} user", other: "{from}–{to} of {count} users" },
    nothing: NOTHING[tab],
  };
  return { tab, showsActivity, spec, view: readListView(spec, query) };
}

/** Lists all users that a request asks for, in its order; they are found by the addresses that the viewer may see. */
export async function listMatchingUsers(request: AdminRequest): Promise<readonly UserRecord[]> {
  const { chat, realm, user: viewer } = request;
  const { tab, view } = readUserList(request);
  const { role = "any", activity = "any" } = view.values;
  const isActivityNeeded = view.sort === "active" || activity !== "any";
  const [{ byName }, lastActivity] = await Promise.all([
    readDirectory(chat, realm.id),
    isActivityNeeded ? listLastActivity(chat, realm.id) : new Map<number, number>(),
  ]);
  const now = chat.clock.now();
  const daysSince = ({ id }: UserRecord) => (now - (lastActivity.get(id) ?? -Infinity)) / DAY_MS;
  const wantedRole = ROLES.find((known) => ROLE_NAMES[known] === role);
  const isActive = ACTIVITIES[activity] ?? (() => true);
  const found = byName.filter((user) =>
    isIn(tab, user) && (wantedRole === undefined || user.role === wantedRole) &&
    isFound(view.search, user, viewer) && (activity === "any" || isActive(daysSince(user)))
  );
  return order(view, found, daysSince);
}

function isIn(tab: typeof USER_TABS[number], user: UserRecord): boolean {
  if (tab === "deactivated") return !user.is_active;
  return user.is_active && isBot(user) === (tab === "bots");
}

function isFound(search: string, user: UserRecord, viewer: UserRecord): boolean {
  const wanted = search.trim().toLowerCase();
  return user.full_name.toLowerCase().includes(wanted) ||
    canSeeEmail(viewer, user) && user.delivery_email.toLowerCase().includes(wanted);
}

/** Sorts users by name, and by activity with the most recent first; equal ones stay sorted by name. */
function order(
  { sort, isDescending }: ListView,
  users: readonly UserRecord[],
  daysSince: (user: UserRecord) => number,
): readonly UserRecord[] {
  const key = (user: UserRecord) =>
    sort === "role"
      ? user.role
      : sort === "joined"
      ? user.date_joined
      : sort === "active"
      ? daysSince(user)
      : 0;
  const sorted = users.toSorted((one, other) => key(one) === key(other) ? 0 : key(one) < key(other) ? -1 : 1);
  return isDescending ? sorted.toReversed() : sorted;
}

const COLUMNS = ["id", "full_name", "email", "role", "kind", "state", "joined", "last_active"];

/** Returns the accounts that the list of users shows, on all of its pages, as a CSV file. */
export async function exportUsers(ctx: Context<State>): Promise<Response> {
  const request = adminRequest(ctx);
  const { chat, realm, user: viewer } = request;
  const users = await listMatchingUsers(request);
  const activity = realm.settings.presence_disabled
    ? new Map<number, number>()
    : await listLastActivity(chat, realm.id);
  const toRow = (user: UserRecord) => [
    String(user.id),
    user.full_name,
    canSeeEmail(viewer, user) ? user.delivery_email : "",
    ROLE_NAMES[user.role],
    isBot(user) ? "bot" : "user",
    user.is_active ? "active" : "deactivated",
    toTime(user.date_joined),
    toTime(activity.get(user.id)),
  ];
  const day = toTime(chat.clock.now()).slice(0, 10);
  return toCsvDownload({ name: `users-${day}.csv`, columns: COLUMNS, rows: users.values().map(toRow) });
}

function toTime(time: number | undefined): string {
  return time === undefined ? "" : new Date(time).toISOString();
}
