import { randomInt } from "node:crypto";
import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/app.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/realm/realm.ts";
import { allowsSpectators } from "@/lib/chat/realm/spectators.ts";
import { apiKeyOf, isSameKey, isWellFormedKey } from "@/lib/chat/users/api_key.ts";
import { findUserByEmail } from "@/lib/chat/users/store.ts";
import { notLoggedIn } from "@/lib/chat/users/rights.ts";
import { INCOMING_WEBHOOK_BOT, userKeys, type UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readSignedIn } from "./page_session.ts";
import { findRealm, noSuchRealm } from "./request_realm.ts";
import { isSameOrigin } from "./same_origin.ts";
import { readSessionToken } from "./session_cookie.ts";
import type { State } from "./services.ts";

/** Who calls, and for which organization. */
export interface Principal {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Characters of the longest user name that may be somebody's. */
const MAX_ADDRESS = 320;
/** What a wrong key waits for its refusal; the right one never waits. */
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 5;
/** Stands in for an account that is not there, so that looking for one takes as long as checking its key. */
const NOBODY = { id: 0, key_generation: 0 };

/**
 * Who calls, by the Authorization header; without one by the session of a page of this very origin.
 * @throws AppError UNAUTHORIZED, INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED, NONEXISTENT_SUBDOMAIN, or
 * BAD_REQUEST for another scheme than Basic.
 */
export async function requirePrincipal(ctx: Context<State>): Promise<Principal> {
  return ctx.req.headers.has("authorization") ? await requireKeyHolder(ctx) : await requireSession(ctx);
}

/**
 * Who calls, by the Authorization header alone.
 * @throws AppError as `requirePrincipal`.
 */
export async function requireKeyHolder(ctx: Context<State>): Promise<Principal> {
  const header = ctx.req.headers.get("authorization");
  if (header === null) throw notLoggedIn();
  const { name, password } = readBasic(header);
  const realm = await findRealm(ctx);
  if (realm === null) throw noSuchRealm(ctx);
  const user = await requireKeyOwner(ctx.state.app.chat, realm, { address: name, key: password });
  return requireUsable({ realm, user });
}

/** The cookie alone proves nothing: browsers send it along with what other sites make them ask. */
async function requireSession(ctx: Context<State>): Promise<Principal> {
  const ownOrigin = new URL(ctx.state.app.config.baseUrl).origin;
  const isAllowed = ctx.req.headers.has("cookie") && isSameOrigin(ctx.req, ownOrigin);
  const signedIn = isAllowed ? await readSignedIn(ctx) : null;
  if (signedIn === null) throw notLoggedIn();
  return requireUsable({ realm: signedIn.realm, user: signedIn.session.user });
}

/**
 * The two halves of Basic credentials, without the blanks around them.
 * @throws AppError BAD_REQUEST for another scheme, UNAUTHORIZED for what cannot be read.
 */
export function readBasic(header: string): { name: string; password: string } {
  const [scheme = "", credentials, ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== "basic") {
    throw new AppError("BAD_REQUEST", "This endpoint requires HTTP basic authentication.");
  }
  const parts = credentials === undefined || rest.length > 0 ? [] : decodeBase64(credentials).split(":");
  const [name, password] = parts;
  if (parts.length !== 2 || name === undefined || password === undefined) {
    throw new AppError("UNAUTHORIZED", "Invalid authorization header for basic auth");
  }
  return { name: name.trim(), password: password.trim() };
}

/** The text in Base64, or one that has no halves where there is none. */
function decodeBase64(text: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(text));
  } catch {
    return "";
  }
}

async function requireKeyOwner(
  chat: ChatApp,
  realm: RealmRecord,
  { address, key }: { address: string; key: string },
): Promise<UserRecord> {
  if (!isWellFormedKey(key)) throw new AppError("INVALID_API_KEY", "Malformed API key");
  // The store refuses keys of some kilobytes, and with them every read that is made at the same moment.
  const user = address.length > MAX_ADDRESS ? null : await findUserByEmail(chat, realm, address);
  const isRight = isSameKey(apiKeyOf(chat, realm.id, user ?? NOBODY), key);
  if (user !== null && isRight) return user;
  // A known address took a record's read, an unknown one the read of what is not there: each is charged what the other
  // paid. What is left, such as a record's size, drowns in the pause: so the time does not tell them apart.
  await chat.reads.read(user === null ? realmKeys.realm(realm.id) : userKeys.byEmail(realm.id, ""));
  await pause();
  throw new AppError("INVALID_API_KEY", "Invalid API key");
}

/** Waits so many milliseconds that nobody can tell beforehand. */
function pause(): Promise<void> {
  const milliseconds = randomInt(MIN_PAUSE_MS * 1000, MAX_PAUSE_MS * 1000) / 1000;
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Lets only those through for whom the API is.
 * @throws AppError REALM_DEACTIVATED, USER_DEACTIVATED, or UNAUTHORIZED for incoming webhook bots.
 */
export function requireUsable(principal: Principal): Principal {
  const { realm, user } = principal;
  if (realm.is_deactivated) {
    throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  }
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  if (user.bot_type === INCOMING_WEBHOOK_BOT) {
    throw new AppError("UNAUTHORIZED", "This API is not available to incoming webhook bots.");
  }
  return principal;
}

/** Whether a request says who makes it, rightly or wrongly: whoever does is no spectator. */
export function hasCredentials({ req, url, state }: Context<State>): boolean {
  return req.headers.has("authorization") || url.searchParams.has("api_key") ||
    readSessionToken(req, state.app.isHttps) !== null;
}

/** The organization that a request reads without an account; null where it has credentials, or nothing is open. */
export async function findOpenRealm(ctx: Context<State>): Promise<RealmRecord | null> {
  if (hasCredentials(ctx)) return null;
  const realm = await findRealm(ctx);
  return realm !== null && allowsSpectators(ctx.state.app.chat, realm) ? realm : null;
}
