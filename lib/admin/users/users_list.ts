import type { Directory } from "@/lib/chat/users/store.ts";
import { canSeeEmail } from "@/lib/chat/users/model.ts";
import { isBot, type UserRecord } from "@/lib/chat/users/model.ts";

/** Tabs of the list. */
const USER_TABS = ["people", "bots", "deactivated"] as const;
/** Orders of the list. */
const USER_SORTS = ["name", "role", "joined"] as const;

/** Filter, order and position of the list. */
export interface UserQuery {
  readonly tab: typeof USER_TABS[number];
  readonly search: string;
  readonly sort: typeof USER_SORTS[number];
  readonly isReversed: boolean;
  /** Id of the last account of the previous page; null for the first page. */
  readonly after: number | null;
}

/** A page of accounts and their total number. */
export interface UserSlice {
  readonly users: readonly UserRecord[];
  readonly count: number;
  readonly hasMore: boolean;
}

/** Number of accounts on a page. */
const PAGE_SIZE = 50;

/** Parses the query of the page's URL. */
export function readUserQuery(query: URLSearchParams): UserQuery {
  const sort = query.get("sort") ?? "name";
  const bare = sort.replace(/^-/, "");
  const after = query.get("after") ?? "";
  return {
    tab: USER_TABS.find((tab) => tab === query.get("tab")) ?? "people",
    search: (query.get("q") ?? "").trim().slice(0, 200),
    sort: USER_SORTS.find((known) => known === bare) ?? "name",
    isReversed: sort.startsWith("-"),
    after: /^\d{1,15}$/.test(after) ? Number(after) : null,
  };
}

/** Links of the list. */
export interface UserListPaths {
  readonly tabs: Readonly<Record<UserQuery["tab"], string>>;
  /** The list in another order; reversed for the current one. */
  readonly sorts: Readonly<Record<UserQuery["sort"], string>>;
  readonly unsearched: string;
  /** Null on the first page. */
  readonly first: string | null;
  /** Null on the last page. */
  readonly next: string | null;
}

/** Returns the links of a list; `last` is the id of its last account when others follow. */
export function userListPaths(query: UserQuery, last: number | null): UserListPaths {
  const start = { ...query, after: null };
  const tabPath = (tab: UserQuery["tab"]) => toPath({ ...start, tab });
  const sortPath = (sort: UserQuery["sort"]) =>
    toPath({ ...start, sort, isReversed: sort === query.sort && !query.isReversed });
  return {
    tabs: { people: tabPath("people"), bots: tabPath("bots"), deactivated: tabPath("deactivated") },
    sorts: { name: sortPath("name"), role: sortPath("role"), joined: sortPath("joined") },
    unsearched: toPath({ ...start, search: "" }),
    first: query.after === null ? null : toPath(start),
    next: last === null ? null : toPath({ ...query, after: last }),
  };
}

function toPath({ tab, search, sort, isReversed, after }: UserQuery): string {
  const order = `${isReversed ? "-" : ""}${sort}`;
  const query = new URLSearchParams({
    ...(tab === "people" ? {} : { tab }),
    ...(search === "" ? {} : { q: search }),
    ...(order === "name" ? {} : { sort: order }),
    ...(after === null ? {} : { after: String(after) }),
  });
  return query.size === 0 ? "/admin/users" : `/admin/users?${query}`;
}

/** Returns a page of accounts; users are found by the addresses that the viewer may see. */
export function sliceUsers(directory: Directory, query: UserQuery, viewer: UserRecord): UserSlice {
  const ordered = order(directory.byName, query);
  const last = query.after === null ? undefined : directory.byId.get(query.after);
  const isWanted = (user: UserRecord) => isIn(query, user) && isFound(query.search, user, viewer);
  // An account that left the list meanwhile still has its position in the order of all.
  const from = last === undefined ? 0 : ordered.indexOf(last) + 1;
  const before = ordered.slice(0, from).filter(isWanted).length;
  const behind = ordered.slice(from).filter(isWanted);
  return {
    users: behind.slice(0, PAGE_SIZE),
    count: before + behind.length,
    hasMore: behind.length > PAGE_SIZE,
  };
}

function isIn({ tab }: UserQuery, user: UserRecord): boolean {
  if (tab === "deactivated") return !user.is_active;
  return user.is_active && isBot(user) === (tab === "bots");
}

function isFound(search: string, user: UserRecord, viewer: UserRecord): boolean {
  if (search === "") return true;
  const wanted = search.toLowerCase();
  return user.full_name.toLowerCase().includes(wanted) ||
    canSeeEmail(viewer, user) && user.delivery_email.toLowerCase().includes(wanted);
}

/** Equal accounts stay sorted by name. */
function order(users: readonly UserRecord[], { sort, isReversed }: UserQuery): readonly UserRecord[] {
  const sorted = sort === "name" ? users : users.toSorted((one, other) => compare(sort, one, other));
  return isReversed ? sorted.toReversed() : sorted;
}

function compare(sort: "role" | "joined", one: UserRecord, other: UserRecord): number {
  return sort === "role" ? one.role - other.role : one.date_joined - other.date_joined;
}
