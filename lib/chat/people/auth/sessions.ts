import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { sessionsEndEvent } from "@/lib/chat/organization/events/model.ts";
import { type EventContext, sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { accountSignal, getUser, readUser } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "@/lib/chat/people/put_user.ts";
import { sha256, toHex } from "@/lib/core/bytes.ts";
import { DAY_MS } from "@/lib/core/clock.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";

/** A signed-in browser. */
interface SessionRecord {
  readonly user_id: number;
  /** The account's session epoch at sign-in; the session ends when the account's epoch changes. */
  readonly session_epoch: number;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Milliseconds since 1970 UTC, accurate to TOUCH_MS. */
  readonly last_used_at: number;
  /** Value of the User-Agent header, shortened. */
  readonly user_agent: string;
}

export interface LiveSession {
  /** Hash of the token, which identifies the session but cannot be used to sign in. */
  readonly id: string;
  readonly record: SessionRecord;
  readonly user: UserRecord;
}

export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** Maximum time without use in milliseconds, after which a session ends. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** Interval in milliseconds at which the last use is stored. */
const TOUCH_MS = 10 * 60 * 1000;
const TOKEN_BYTES = 32;
const MAX_USER_AGENT = 300;

const sessionKeys = {
  session: (realmId: number, id: string): Key => [realmId, "session", id],
  ofUser: (realmId: number, userId: number): Key => [realmId, "user_session", userId],
};

/** Starts a session and returns its token: 256 random bits in URL-safe Base64, stored as a hash only. */
export async function startSession(
  app: ChatApp,
  realm: RealmRecord,
  { user, userAgent, formerToken }: {
    readonly user: UserRecord;
    readonly userAgent: string;
    /** Token of the browser's former session, which ends; null without one. */
    readonly formerToken: string | null;
  },
): Promise<string> {
  const token = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
  const id = await hashToken(token);
  const now = app.clock.now();
  const record: SessionRecord = {
    user_id: user.id,
    session_epoch: user.session_epoch,
    created_at: now,
    last_used_at: now,
    user_agent: userAgent.slice(0, MAX_USER_AGENT),
  };
  const formerId = formerToken === null ? null : await hashToken(formerToken);
  await transact(app.store, async (tx) => {
    if (formerId !== null) {
      await deleteSession({ app, tx, realm }, { id: formerId, userId: null });
    }
    tx.set(sessionKeys.session(realm.id, id), record, { expireIn: SESSION_LIFETIME_MS });
    tx.set([...sessionKeys.ofUser(realm.id, user.id), id], true, { expireIn: SESSION_LIFETIME_MS });
  });
  app.activity.record(realm, user);
  return token;
}

/** Finds the valid session of a token with its user; null if it has ended or never existed. */
export async function findSession(
  app: ChatApp,
  realm: RealmRecord,
  token: string,
): Promise<LiveSession | null> {
  const id = await hashToken(token);
  const key = sessionKeys.session(realm.id, id);
  const record = await app.reads.read<SessionRecord>(key);
  if (record === null) return null;
  const user = await readUser(app, realm.id, record.user_id);
  const now = app.clock.now();
  if (user === null || realm.is_deactivated || !isLive(record, user, now)) return null;
  if (now - record.last_used_at >= TOUCH_MS) {
    await transact(app.store, async (tx) => {
      const current = await tx.get<SessionRecord>(key);
      // A session that was deleted in the meantime is not restored.
      if (current === null) return;
      const expireIn = current.created_at + SESSION_LIFETIME_MS - now;
      tx.set(key, { ...current, last_used_at: now }, { expireIn });
    });
  }
  return { id, record, user };
}

function isLive(record: SessionRecord, user: UserRecord, now: number): boolean {
  return user.is_active && record.session_epoch === user.session_epoch &&
    now - record.created_at < SESSION_LIFETIME_MS && now - record.last_used_at < SESSION_IDLE_MS;
}

/** Returns whether a session of an account, as it is now, is valid. */
export async function isSessionLive(
  app: ChatApp,
  { realmId, user }: { realmId: number; user: UserRecord },
  id: string,
): Promise<boolean> {
  const record = await app.reads.read<SessionRecord>(sessionKeys.session(realmId, id));
  return record !== null && record.user_id === user.id && isLive(record, user, app.clock.now());
}

/** Ends one session of a user at once; ignores sessions of other users. */
export async function endSession(
  app: ChatApp,
  realm: RealmRecord,
  { id, userId }: { id: string; userId: number },
): Promise<void> {
  await transact(app.store, (tx) => deleteSession({ app, tx, realm }, { id, userId }));
}

/** Deletes a session of a user, or of any user if `userId` is null. */
async function deleteSession(
  context: EventContext,
  { id, userId }: { id: string; userId: number | null },
): Promise<void> {
  const { tx, realm: { id: realmId } } = context;
  const key = sessionKeys.session(realmId, id);
  const record = await tx.get<SessionRecord>(key);
  if (record === null || userId !== null && record.user_id !== userId) return;
  tx.delete(key);
  tx.delete([...sessionKeys.ofUser(realmId, record.user_id), id]);
  tx.notify(accountSignal(realmId, record.user_id));
  sendChangeEvent(context, sessionsEndEvent(record.user_id), []);
}

/**
 * Returns the account with all its sessions ended, which the caller writes. Sends the event that ends requests that
 * wait with one of them; changes that send another event of the account need none.
 */
export function withoutSessions(context: EventContext, user: UserRecord): UserRecord {
  sendChangeEvent(context, sessionsEndEvent(user.id), []);
  return { ...user, session_epoch: user.session_epoch + 1 };
}

export async function endAllSessions(app: ChatApp, realm: RealmRecord, userId: number): Promise<void> {
  await transact(app.store, async (tx) => {
    const user = await getUser(tx, realm.id, userId);
    await putUser(tx, realm.id, withoutSessions({ app, tx, realm }, user));
  });
}

/** Lists the valid sessions of a user, the most recently used first. */
export async function listSessions(
  app: ChatApp,
  realm: RealmRecord,
  user: UserRecord,
): Promise<LiveSession[]> {
  const sessions: LiveSession[] = [];
  for await (const entry of app.store.kv.list({ prefix: [...sessionKeys.ofUser(realm.id, user.id)] })) {
    const id = String(toEntry(entry).key.at(-1));
    const record = await app.reads.read<SessionRecord>(sessionKeys.session(realm.id, id));
    if (record !== null && isLive(record, user, app.clock.now())) sessions.push({ id, record, user });
  }
  return sessions.sort((a, b) => b.record.last_used_at - a.record.last_used_at);
}

async function hashToken(token: string): Promise<string> {
  return toHex(await sha256(token));
}

const BROWSERS = [
  { name: "Edge", pattern: /\bEdg(e|A|iOS)?\// },
  { name: "Opera", pattern: /\bOPR\// },
  { name: "Firefox", pattern: /\b(Firefox|FxiOS)\// },
  { name: "Chrome", pattern: /\b(Chrome|CriOS)\// },
  { name: "Safari", pattern: /\bSafari\// },
];
const SYSTEMS = [
  { name: "Android", pattern: /Android/ },
  { name: "iPhone", pattern: /iPhone/ },
  { name: "iPad", pattern: /iPad/ },
  { name: "Windows", pattern: /Windows/ },
  { name: "macOS", pattern: /Mac OS X/ },
  { name: "Linux", pattern: /Linux/ },
];

/** Describes a browser and its operating system, such as `Firefox on Linux`. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(({ pattern }) => pattern.test(userAgent))?.name ?? "A browser";
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent))?.name;
  return system === undefined ? browser : `${browser} on ${system}`;
}
