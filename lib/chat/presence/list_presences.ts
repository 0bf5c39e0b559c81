import { listValues } from "@/lib/kv/list_values.ts";
import type { ChatApp } from "../app.ts";
import { canAccessEveryone } from "../permissions/can_access_user.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { apiEmail } from "../users/email.ts";
import { listUsers, readUser } from "../users/store.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { presenceKeys, type PresenceRecord } from "./presence.ts";
import { HISTORY_DAYS, isRecent } from "./rules.ts";
import { type Seen, toPresence, toSlimPresence } from "./view.ts";

/** Of more people than these, accounts are read all at once. */
const FEW = 100;

/** Who asks. */
export interface PresenceViewer {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  /** All accounts of the organization, where they are read anyway. */
  readonly users?: (() => Promise<readonly UserRecord[]>) | undefined;
}

/** Whose presence is wanted, and how it is told. */
export interface PresenceQuery {
  readonly isSlim: boolean;
  /** Only what changed after this number, where it is more than 0. */
  readonly after?: number | undefined;
  readonly days?: number | undefined;
}

/** Presence by address or id as clients receive it, up to a number from which they go on. */
export async function listPresences(app: ChatApp, viewer: PresenceViewer, query: PresenceQuery) {
  // Read first: what is stored while the records are listed comes again next time, and none is missed.
  const head = await app.reads.read<number>(presenceKeys.head) ?? -1;
  const presences: Record<string, ReturnType<typeof toPresence> | ReturnType<typeof toSlimPresence>> = {};
  for (const one of await readSeen(app, viewer, query)) {
    if (query.isSlim) presences[one.user.id] = toSlimPresence(one);
    else presences[apiEmail(app, viewer.realm, one.user)] = toPresence(one);
  }
  return {
    presences,
    server_timestamp: app.clock.now() / 1000,
    presence_last_update_id: head,
  };
}

async function readSeen(app: ChatApp, viewer: PresenceViewer, query: PresenceQuery): Promise<Iterable<Seen>> {
  const { realm } = viewer;
  const { days = HISTORY_DAYS, after = -1 } = query;
  if (realm.settings.presence_disabled || days === 0) return [];
  const isLimited = await isLimitedTo(app, viewer);
  const records = isLimited ? await readOwn(app, viewer, after) : await readRecords(app, realm.id, after);
  const now = app.clock.now();
  // Whoever asks for changes was told of everybody, and of who was there since.
  const wanted = after > 0 ? records : records.filter((record) => isRecent(record, now, days));
  return join(wanted, await readUsers(app, viewer, wanted));
}

function readRecords(app: ChatApp, realmId: number, after: number): Promise<PresenceRecord[]> {
  return after > 0
    ? listChanged(app, realmId, after)
    : listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
}

/** Whether somebody knows of nobody but himself and bots, and that counts for presence too. */
async function isLimitedTo(app: ChatApp, { realm, user }: PresenceViewer): Promise<boolean> {
  if (!app.config.canAccessAllUsersGroupLimitsPresence) return false;
  return !canAccessEveryone(await peekPermissionContext(app, realm), user);
}

async function readOwn(
  app: ChatApp,
  { realm, user }: PresenceViewer,
  after: number,
): Promise<PresenceRecord[]> {
  const record = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  return record !== null && record.update_id > after ? [record] : [];
}

async function listChanged(app: ChatApp, realmId: number, after: number): Promise<PresenceRecord[]> {
  const userIds = await listValues<number>(app.store.kv, presenceKeys.updates(realmId), { from: after + 1 });
  if (userIds.length > FEW) {
    const records = await listValues<PresenceRecord>(app.store.kv, presenceKeys.presences(realmId));
    return records.filter(({ update_id }) => update_id > after);
  }
  // Who reports while they are listed is met twice.
  const read = [...new Set(userIds)].map((id) =>
    app.reads.read<PresenceRecord>(presenceKeys.presence(realmId, id))
  );
  return (await Promise.all(read)).filter((record) => record !== null);
}

async function readUsers(
  app: ChatApp,
  { realm, users }: PresenceViewer,
  records: readonly PresenceRecord[],
): Promise<readonly UserRecord[]> {
  if (records.length > FEW) return await (users === undefined ? listUsers(app, realm.id) : users());
  const read = await Promise.all(records.map(({ user_id }) => readUser(app, realm.id, user_id)));
  return read.filter((user) => user !== null);
}

/** Active people and when they were there. */
function* join(records: readonly PresenceRecord[], users: readonly UserRecord[]): Generator<Seen> {
  const people = new Map(users.map((user) => [user.id, user]));
  for (const times of records) {
    const user = people.get(times.user_id);
    if (user?.is_active && !isBot(user)) yield { user, times };
  }
}
