import type { Context } from "fresh";
import { mapValues } from "es-toolkit/object/mapValues";
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
import { readListView } from "@/lib/admin/declare/list.tsx";

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

/** Filters by the number of days since a user was active, which is Infinity for one who never was. */
const ACTIVITIES: Readonly<Record<string, readonly [label: string, has: (days: number) => boolean]>> = {
  any: ["Any", () => true],
  active7: ["Active in the last 7 days", (days) => days <= 7],
  active30: ["Active in the last 30 days", (days) => days <= 30],
  inactive30: ["Not active for 30 days", (days) => days > 30],
  inactive90: ["Not active for 90 days", (days) => days > 90],
  never: ["Never active", (days) => days === Infinity],
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
export function readUserList({ query, realm, messages }: AdminRequest) {
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
          ...Object.fromEntries(ROLES.map((role) => [ROLE_NAMES[role], messages.shell.roles[role]])),
        },
      },
      ...(showsActivity
        ? { activity: { label: "Activity", choices: mapValues(ACTIVITIES, ([label]) => label) } }
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
  const wanted = view.search.trim().toLowerCase();
  const found = byName.filter((user) =>
    (tab === "deactivated" ? !user.is_active : user.is_active && isBot(user) === (tab === "bots")) &&
    (role === "any" || ROLE_NAMES[user.role] === role) &&
    (user.full_name.toLowerCase().includes(wanted) ||
      canSeeEmail(viewer, user) && user.delivery_email.toLowerCase().includes(wanted)) &&
    ACTIVITIES[activity]?.[1](daysSince(user)) === true
  );
  const keys: Readonly<Record<string, (user: UserRecord) => number>> = {
    role: (user) => user.role,
    joined: (user) => user.date_joined,
    active: daysSince,
  };
  const key = keys[view.sort];
  // Users with equal keys, such as those who never were active, stay sorted by name.
  const sorted = key === undefined ? found : found.toSorted((one, other) => key(one) - key(other));
  return view.isDescending ? sorted.toReversed() : sorted;
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
