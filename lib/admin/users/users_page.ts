import { type BulkChange, listBulkActions } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { createUser } from "@/lib/chat/users/create_user.ts";
import { readLastActivity } from "@/lib/chat/activity/store.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import { MIN_PASSWORD_LENGTH } from "@/lib/chat/auth/passwords.ts";
import type { BotType, UserRecord } from "@/lib/chat/users/model.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { type ShownAccount, toAvatarPath, toShownAccount } from "../shown_account.ts";
import { ACCOUNT_FIELDS } from "./user_data.ts";
import { readListQuery, readUserSlice, showsActivity } from "./users_list.ts";
import { toUserParams, type UserListPaths, userListPaths, type UserQuery } from "./users_query.ts";

/** An account in the list. */
export interface ListedUser extends ShownAccount {
  /** Path of the avatar. */
  readonly avatar: string;
  /** Milliseconds since 1970 UTC; null when unknown. */
  readonly lastActive: number | null;
  /** Null for users who are not bots. */
  readonly bot: { readonly type: BotType; readonly owner: string | null } | null;
}

/** A change of many accounts that is under way. */
export interface RunningAction {
  readonly id: number;
  readonly kind: BulkChange["kind"];
  readonly done: number;
  readonly total: number;
}

/** Number of the newest bulk actions among which running ones are shown. */
const MAX_RUNNING = 5;

/** Data of the users page. */
export interface UsersData {
  readonly users: readonly ListedUser[];
  readonly query: UserQuery;
  /** Parameters of the query, without the position. */
  readonly params: Readonly<Record<string, string>>;
  readonly running: readonly RunningAction[];
  /** Number of accounts on all pages. */
  readonly count: number;
  readonly paths: UserListPaths;
  /** Whether the organization shows presence. */
  readonly showsPresence: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Data of the page that creates a user. */
export interface NewUserData {
  /** Minimum length of a password. */
  readonly minPassword: number;
}

/** The page of all users. */
export const usersPage: AdminPageSpec<UsersData> = { load: loadUsers };

/** The page that creates a user. */
export const newUserPage: AdminPageSpec<NewUserData> = {
  load: () => Promise.resolve({ minPassword: MIN_PASSWORD_LENGTH }),
  actions: { create: { run: create, fields: ACCOUNT_FIELDS } },
};

async function loadUsers(request: AdminRequest): Promise<UsersData> {
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

async function listRunning({ chat, realm }: AdminRequest): Promise<readonly RunningAction[]> {
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
    avatar: toAvatarPath(user),
    lastActive,
    bot: user.bot_type === null ? null : { type: user.bot_type, owner },
  };
}

async function create(
  { chat, caller, formatter, messages }: AdminRequest,
  fields: FormFields,
): Promise<Done> {
  const { id, full_name } = await createUser(chat, caller, {
    email: fields.exact("email"),
    password: fields.exact("password"),
    full_name: fields.exact("full_name"),
  });
  return { flash: formatter.t(messages.users.created, { name: full_name }), to: `/admin/users/${id}` };
}
