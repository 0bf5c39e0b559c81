import { type Role, ROLES } from "@/lib/chat/users/model.ts";

/** Tabs of the list. */
const USER_TABS = ["people", "bots", "deactivated"] as const;
/** Orders of the list. */
const USER_SORTS = ["name", "role", "joined", "active"] as const;
/** Periods of activity that the list can be limited to; the numbers are days. */
const ACTIVITIES = ["any", "active7", "active30", "inactive30", "inactive90", "never"] as const;

/** Filter, order and position of the list. */
export interface UserQuery {
  readonly tab: typeof USER_TABS[number];
  readonly search: string;
  /** Null for all roles. */
  readonly role: Role | null;
  readonly activity: typeof ACTIVITIES[number];
  readonly sort: typeof USER_SORTS[number];
  readonly isReversed: boolean;
  /** Id of the last account of the previous page; null for the first page. */
  readonly after: number | null;
}

/** Parses the query of the page's URL. */
export function readUserQuery(query: URLSearchParams): UserQuery {
  const sort = query.get("sort") ?? "name";
  const bare = sort.replace(/^-/, "");
  const after = query.get("after") ?? "";
  return {
    tab: USER_TABS.find((tab) => tab === query.get("tab")) ?? "people",
    search: (query.get("q") ?? "").trim().slice(0, 200),
    role: ROLES.find((role) => String(role) === query.get("role")) ?? null,
    activity: ACTIVITIES.find((known) => known === query.get("activity")) ?? "any",
    sort: USER_SORTS.find((known) => known === bare) ?? "name",
    isReversed: sort.startsWith("-"),
    after: /^\d{1,15}$/.test(after) ? Number(after) : null,
  };
}

/** Whether a query limits the list within its tab. */
function isFiltered({ search, role, activity }: UserQuery): boolean {
  return search !== "" || role !== null || activity !== "any";
}

/** Links of the list. */
export interface UserListPaths {
  readonly tabs: Readonly<Record<UserQuery["tab"], string>>;
  /** The list in another order; reversed for the current one. */
  readonly sorts: Readonly<Record<UserQuery["sort"], string>>;
  /** Null for an unfiltered list. */
  readonly unfiltered: string | null;
  /** The file with all accounts of the list. */
  readonly csv: string;
  /** Null on the first page. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
}

const PAGE = "/admin/users";

/** Returns the links of a list; `last` is the id of its last account when others follow. */
export function userListPaths(query: UserQuery, last: number | null): UserListPaths {
  const start = { ...query, after: null };
  const tabPath = (tab: UserQuery["tab"]) => toPath({ ...start, tab });
  const sortPath = (sort: UserQuery["sort"]) =>
    toPath({ ...start, sort, isReversed: sort === query.sort && !query.isReversed });
  return {
    tabs: { people: tabPath("people"), bots: tabPath("bots"), deactivated: tabPath("deactivated") },
    sorts: {
      name: sortPath("name"),
      role: sortPath("role"),
      joined: sortPath("joined"),
      active: sortPath("active"),
    },
    unfiltered: !isFiltered(query) ? null : toPath({ ...start, search: "", role: null, activity: "any" }),
    csv: toPath(start, `${PAGE}/export`),
    first: query.after === null ? null : toPath(start),
    next: last === null ? null : toPath({ ...query, after: last }),
  };
}

/** Returns the parameters of a query's URL; those with their default values are left out. */
export function toUserParams(
  { tab, search, role, activity, sort, isReversed, after }: UserQuery,
): Readonly<Record<string, string>> {
  const order = `${isReversed ? "-" : ""}${sort}`;
  return {
    ...(tab === "people" ? {} : { tab }),
    ...(search === "" ? {} : { q: search }),
    ...(role === null ? {} : { role: String(role) }),
    ...(activity === "any" ? {} : { activity }),
    ...(order === "name" ? {} : { sort: order }),
    ...(after === null ? {} : { after: String(after) }),
  };
}

function toPath(query: UserQuery, path = PAGE): string {
  const params = new URLSearchParams(toUserParams(query));
  return params.size === 0 ? path : `${path}?${params}`;
}
