import { randomInt } from "node:crypto";
import type { Context } from "fresh";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import { allowsSpectators, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { requireActive } from "@/lib/chat/people/auth/authenticate.ts";
import { isWellFormedApiKey, parseApiKeyUserId } from "@/lib/chat/people/auth/api_keys.ts";
import { findUserByEmail, readUser } from "@/lib/chat/organization/users/store.ts";
import { INCOMING_WEBHOOK_BOT, notLoggedIn, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readSignedIn } from "./page_session.ts";
import { findRealm, noSuchRealm } from "./request_realm.ts";
import { isSameOrigin } from "./same_origin.ts";
import { readSessionToken } from "./cookies.ts";
import type { State } from "../services/services.ts";

/** The caller of a request and their organization. */
interface Principal {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
}

/** Shortest delay of a refusal for a wrong key, in milliseconds; a correct key is never delayed. */
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 5;
/** Decodes credentials; a byte sequence that is no UTF-8 is an error. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Authenticates a request by its Authorization header or, without one, by the session of a page of the same
 * origin.
 * @throws AppError UNAUTHORIZED, INVALID_API_KEY, REALM_DEACTIVATED, USER_DEACTIVATED, NONEXISTENT_SUBDOMAIN,
 * UNAVAILABLE when too many requests of the account are in flight, or BAD_REQUEST for another scheme than Basic.
 */
export async function requirePrincipal(ctx: Context<State>): Promise<Principal> {
  return ctx.req.headers.has("authorization") ? await requireKeyHolder(ctx) : await requireSession(ctx);
}

/**
 * Authenticates a request by its Authorization header only.
 * @throws AppError as `requirePrincipal`.
 */
export async function requireKeyHolder(ctx: Context<State>): Promise<Principal> {
  return await requireUsableKey(ctx, await requireHeaderKeyOwner(ctx));
}

/**
 * Requires that the owner of a key may use the API, and records that the key is used.
 * @throws AppError as `requireUsable`.
 */
export async function requireUsableKey(
  { state }: Context<State>,
  principal: Principal,
): Promise<Principal> {
  const { realm, user } = requireUsable(principal);
  await state.app.chat.keyUses.record(realm.id, user);
  return principal;
}

/**
 * Returns the owner of the key in the Authorization header, without checking whether they may use the API.
 * @throws AppError as `requirePrincipal`.
 */
async function requireHeaderKeyOwner(ctx: Context<State>): Promise<Principal> {
  const header = ctx.req.headers.get("authorization");
  if (header === null) throw notLoggedIn();
  const { name, password } = readBasic(header);
  const realm = await findRealm(ctx);
  if (realm === null) throw noSuchRealm(ctx);
  const chat = toAppOfRequest(ctx.state.app.chat, realm.id);
  const user = await requireKeyOwner(chat, realm, { address: name, key: password });
  ctx.state.app.quotas.attribute(ctx.req, { realmId: realm.id, userId: user.id });
  return { realm, user };
}

/**
 * Authenticates an incoming webhook bot by its API key in the query (`api_key`) or by its Authorization header.
 * @throws AppError as `requirePrincipal`; UNAUTHORIZED for other accounts, whose keys do not belong in addresses.
 */
export async function requireWebhookBot(ctx: Context<State>): Promise<Principal> {
  const principal = ctx.req.headers.has("authorization")
    ? await requireHeaderKeyOwner(ctx)
    : await requireQueryKeyOwner(ctx);
  requireActive(principal.realm, principal.user);
  if (principal.user.bot_type !== INCOMING_WEBHOOK_BOT) {
    throw new AppError("UNAUTHORIZED", "This API is only available to incoming webhook bots.");
  }
  await ctx.state.app.chat.keyUses.record(principal.realm.id, principal.user);
  return principal;
}

async function requireQueryKeyOwner(ctx: Context<State>): Promise<Principal> {
  const key = ctx.url.searchParams.get("api_key");
  if (key === null) throw notLoggedIn();
  const realm = await findRealm(ctx);
  if (realm === null) throw noSuchRealm(ctx);
  const user = await requireOwnerOfKey(ctx.state.app.chat, realm, key);
  ctx.state.app.quotas.attribute(ctx.req, { realmId: realm.id, userId: user.id });
  return { realm, user };
}

/**
 * Returns the account whose key this is; the key names the account.
 * @throws AppError INVALID_API_KEY.
 */
export async function requireOwnerOfKey(
  chat: ChatApp,
  realm: RealmRecord,
  key: string,
): Promise<UserRecord> {
  const user = isWellFormedApiKey(key) ? await readUser(chat, realm.id, parseApiKeyUserId(key)) : null;
  if (user === null || !chat.keys.isKeyOf(realm.id, user, key)) {
    throw new AppError("INVALID_API_KEY", "Invalid API key");
  }
  return user;
}

/** The cookie alone proves nothing: browsers also send it with requests that other sites cause. */
async function requireSession(ctx: Context<State>): Promise<Principal> {
  const ownOrigin = new URL(ctx.state.app.config.baseUrl).origin;
  const isAllowed = ctx.req.headers.has("cookie") && isSameOrigin(ctx.req, ownOrigin);
  const signedIn = isAllowed ? await readSignedIn(ctx) : null;
  if (signedIn === null) throw notLoggedIn();
  return requireUsable({ realm: signedIn.realm, user: signedIn.session.user });
}

/**
 * Parses Basic credentials and trims both halves.
 * @throws AppError BAD_REQUEST for another scheme, UNAUTHORIZED for credentials that cannot be read.
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

/** Decodes Base64; returns a text without halves for invalid input. */
function decodeBase64(text: string): string {
  try {
    return decoder.decode(Uint8Array.fromBase64(text));
  } catch {
    return "";
  }
}

async function requireKeyOwner(
  chat: ChatApp,
  realm: RealmRecord,
  { address, key }: { address: string; key: string },
): Promise<UserRecord> {
  if (!isWellFormedApiKey(key)) throw new AppError("INVALID_API_KEY", "Malformed API key");
  const user = await findUserByEmail(chat, realm, address);
  if (chat.keys.isKeyOf(realm.id, user, key) && user !== null) return user;
  // Addresses are looked up in memory; the difference between known and unknown ones disappears in the random delay.
  await pause();
  throw new AppError("INVALID_API_KEY", "Invalid API key");
}

/** Waits for an unpredictable number of milliseconds. */
function pause(): Promise<void> {
  const milliseconds = randomInt(MIN_PAUSE_MS * 1000, MAX_PAUSE_MS * 1000) / 1000;
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Requires an account that may use the API.
 * @throws AppError REALM_DEACTIVATED, USER_DEACTIVATED, or UNAUTHORIZED for incoming webhook bots.
 */
export function requireUsable(principal: Principal): Principal {
  requireActive(principal.realm, principal.user);
  if (principal.user.bot_type === INCOMING_WEBHOOK_BOT) {
    throw new AppError("UNAUTHORIZED", "This API is not available to incoming webhook bots.");
  }
  return principal;
}

/** Whether a request carries credentials, valid or not: such a caller is never a spectator. */
export function hasCredentials({ req, url, state }: Context<State>): boolean {
  return req.headers.has("authorization") || url.searchParams.has("api_key") ||
    readSessionToken(req, state.app.isHttps) !== null;
}

/**
 * Returns the organization that a request reads as a spectator; null with credentials or where spectators are
 * not allowed.
 */
export async function findOpenRealm(ctx: Context<State>): Promise<RealmRecord | null> {
  if (hasCredentials(ctx)) return null;
  const realm = await findRealm(ctx);
  return realm !== null && allowsSpectators(ctx.state.app.chat, realm) ? realm : null;
}

/** Returns the key of an `Authorization: Bearer KEY` header, or null without one. */
export function readBearer(request: Request): string | null {
  const match = /^Bearer +([^\s]+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}
