import { listLastActivity } from "@/lib/chat/activity/store.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { canSeeEmail, isBot, type UserRecord } from "@/lib/chat/users/model.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import type { AdminRequest } from "../admin_request.ts";
import { readUserQuery, type UserQuery } from "./users_query.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Number of accounts on a page. */
const PAGE_SIZE = 50;

/** A page of accounts and their total number. */
export interface UserSlice {
  readonly users: readonly UserRecord[];
  readonly count: number;
  readonly hasMore: boolean;
}

/** Accounts of an organization with what decides on their selection. */
interface UserPool {
  readonly directory: Directory;
  readonly viewer: UserRecord;
  /** Times in milliseconds since 1970 UTC by user id. */
  readonly activity: ReadonlyMap<number, number>;
  readonly now: number;
}

/** Parses the query of a list; only users are listed by activity, and only where the organization shows presence. */
export function readListQuery({ realm, query }: AdminRequest): UserQuery {
  const wanted = readUserQuery(query);
  if (showsActivity(realm, wanted)) return wanted;
  return { ...wanted, activity: "any", sort: wanted.sort === "active" ? "name" : wanted.sort };
}

/** Whether a list shows the activity of its accounts. */
export function showsActivity({ settings }: RealmRecord, { tab }: UserQuery): boolean {
  return tab === "people" && !settings.presence_disabled;
}

/** Lists all accounts that a query selects, in its order; users are found by the addresses that the viewer may see. */
export async function listMatchingUsers(
  request: AdminRequest,
  query: UserQuery,
): Promise<readonly UserRecord[]> {
  const pool = await readPool(request, query);
  return order(pool, query).filter((user) => isWanted(pool, query, user));
}

/** Reads the page of accounts that a query asks for. */
export async function readUserSlice(request: AdminRequest, query: UserQuery): Promise<UserSlice> {
  const pool = await readPool(request, query);
  const ordered = order(pool, query);
  const last = query.after === null ? undefined : pool.directory.byId.get(query.after);
  // An account that left the list meanwhile still has its position in the order of all.
  const from = last === undefined ? 0 : ordered.indexOf(last) + 1;
  const isListed = (user: UserRecord) => isWanted(pool, query, user);
  const before = ordered.slice(0, from).filter(isListed).length;
  const behind = ordered.slice(from).filter(isListed);
  return {
    users: behind.slice(0, PAGE_SIZE),
    count: before + behind.length,
    hasMore: behind.length > PAGE_SIZE,
  };
}

/** Whether a query depends on the activity of all users. */
function needsActivity({ sort, activity }: UserQuery): boolean {
  return sort === "active" || activity !== "any";
}

async function readPool({ chat, realm, user: viewer }: AdminRequest, query: UserQuery): Promise<UserPool> {
  const [directory, activity] = await Promise.all([
    readDirectory(chat, realm.id),
    needsActivity(query) ? listLastActivity(chat, realm.id) : new Map<number, number>(),
  ]);
  // Without presence every user would seem to be inactive.
  return { directory, viewer, activity, now: chat.clock.now() };
}

function isWanted(pool: UserPool, query: UserQuery, user: UserRecord): boolean {
  return isIn(query, user) && (query.role === null || user.role === query.role) &&
    isFound(query.search, user, pool.viewer) && hasActivity(pool, query, user);
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

function hasActivity({ activity, now }: UserPool, query: UserQuery, { id }: UserRecord): boolean {
  const last = activity.get(id);
  const isWithin = (days: number) => last !== undefined && last >= now - days * DAY_MS;
  switch (query.activity) {
    case "any":
      return true;
    case "active7":
      return isWithin(7);
    case "active30":
      return isWithin(30);
    case "inactive30":
      return !isWithin(30);
    case "inactive90":
      return !isWithin(90);
    case "never":
      return last === undefined;
  }
}

/** Equal accounts stay sorted by name. */
function order(pool: UserPool, { sort, isReversed }: UserQuery): readonly UserRecord[] {
  const { byName } = pool.directory;
  const sorted = sort === "name"
    ? byName
    : byName.toSorted((one, other) => compare(pool, sort, [one, other]));
  return isReversed ? sorted.toReversed() : sorted;
}

/** Sorts the users by activity with the most recent first. */
function compare(
  { activity }: UserPool,
  sort: "role" | "joined" | "active",
  [one, other]: readonly [UserRecord, UserRecord],
): number {
  switch (sort) {
    case "role":
      return one.role - other.role;
    case "joined":
      return one.date_joined - other.date_joined;
    case "active":
      return (activity.get(other.id) ?? 0) - (activity.get(one.id) ?? 0);
  }
}
