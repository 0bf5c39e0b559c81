import { importSPKI, type JWTPayload, jwtVerify } from "jose";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { ChatConfig } from "@/lib/chat/organization/config.ts";
import {
  readRealmBySubdomain,
  type RealmRecord,
  realmUrl,
} from "@/lib/chat/organization/organizations/model.ts";
import { isBot, notLoggedIn, userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser, readUsers } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isSessionLive } from "./sessions.ts";

/** @throws AppError NONEXISTENT_SUBDOMAIN. */
export function requireRealm(realm: RealmRecord | null): RealmRecord {
  if (realm === null) throw new AppError("NONEXISTENT_SUBDOMAIN", "Invalid subdomain");
  return realm;
}

/**
 * Returns the user with a real address and password; addresses without an account take the same time.
 * @throws AppError AUTHENTICATION_FAILED, or after the right password USER_DEACTIVATED or REALM_DEACTIVATED.
 */
export async function authenticate(
  app: ChatApp,
  realm: RealmRecord,
  { username, password }: { username: string; password: string },
): Promise<UserRecord> {
  const user = await readUserByRealEmail(app, realm.id, username.trim());
  const isRight = await app.passwords.verify(password, user?.password_hash ?? null);
  const person = requireActivePerson(realm, isRight ? user : null);
  app.activity.record(realm, person);
  return person;
}

/**
 * Requires an active human in an active organization, after the user has proved their identity.
 * @throws AppError AUTHENTICATION_FAILED for null and for bots, USER_DEACTIVATED or REALM_DEACTIVATED.
 */
function requireActivePerson(realm: RealmRecord, user: UserRecord | null): UserRecord {
  if (user === null || isBot(user)) {
    throw new AppError("AUTHENTICATION_FAILED", "Your username or password is incorrect");
  }
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  if (realm.is_deactivated) {
    throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  }
  return user;
}

/** @throws AppError REALM_DEACTIVATED or USER_DEACTIVATED. */
export function requireActive(realm: RealmRecord, user: UserRecord): void {
  if (realm.is_deactivated) {
    throw new AppError("REALM_DEACTIVATED", "This organization has been deactivated");
  }
  if (!user.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
}

/** Length in characters above which no address is looked up; no account has a longer one. */
const MAX_EMAIL_LENGTH = 254;

/** Reads the user with a real address, or null. Ignores the case of ASCII letters only. */
async function readUserByRealEmail(
  app: ChatApp,
  realmId: number,
  address: string,
): Promise<UserRecord | null> {
  if (address.length > MAX_EMAIL_LENGTH) return null;
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, address));
  const user = id === null ? null : await readUser(app, realmId, id);
  // Lowercasing maps some other characters to ASCII, such as the Kelvin sign; they belong to different
  // addresses.
  return user !== null && toAsciiLower(user.delivery_email) === toAsciiLower(address) ? user : null;
}

function toAsciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A caller as they were when their request was admitted. */
export interface AdmittedCaller {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  /** Id of the browser session that admitted the request; null for an API key. */
  readonly sessionId: string | null;
}

/**
 * Returns the organization and the account of a long request as they are now, and requires that its credentials would
 * still be accepted.
 * @throws AppError as the refusal of a new request: INVALID_API_KEY, UNAUTHORIZED, USER_DEACTIVATED,
 * REALM_DEACTIVATED or NONEXISTENT_SUBDOMAIN.
 */
export async function requireStillValid(
  app: ChatApp,
  { realm: { id: realmId, subdomain }, user: admitted, sessionId }: AdmittedCaller,
): Promise<Omit<AdmittedCaller, "sessionId">> {
  const [found, users] = await Promise.all([
    readRealmBySubdomain(app, subdomain),
    readUsers(app, realmId, [admitted.id]),
  ]);
  const realm = requireRealm(found);
  const user = users.get(admitted.id);
  if (user === undefined) throw invalidApiKey();
  if (sessionId === null && user.key_generation !== admitted.key_generation) throw invalidApiKey();
  const isOver = sessionId !== null && !await isSessionLive(app, { realmId, user }, sessionId);
  requireActive(realm, user);
  if (isOver) throw notLoggedIn();
  return { realm, user };
}

function invalidApiKey(): AppError {
  return new AppError("INVALID_API_KEY", "Invalid API key");
}

type TokenKey = ChatConfig["jwtAuthKeys"][string];

/** Maximum length of a token in characters. */
const MAX_TOKEN_LENGTH = 8192;
/** Latest time of a token, in seconds since 1970 UTC: the end of the year 9999. */
const MAX_TIME = 253_402_300_799;
/** Tolerance for an issuer's clock that is ahead. */
const LEEWAY_SECONDS = 60;

/**
 * @throws AppError BAD_REQUEST when tokens are not enabled, or the token is missing, invalid, too old or
 * without a verified address.
 */
async function readTokenEmail(app: ChatApp, realm: RealmRecord, token: string): Promise<string> {
  const { jwtAuthKeys } = app.config;
  const key = Object.hasOwn(jwtAuthKeys, realm.subdomain) ? jwtAuthKeys[realm.subdomain] : undefined;
  if (key === undefined) {
    throw new AppError("BAD_REQUEST", "JWT authentication is not enabled for this organization");
  }
  if (token === "") throw new AppError("BAD_REQUEST", "No JSON web token passed in request");
  const { email } = await readClaims(app, realm, { token, key });
  if (typeof email !== "string") {
    throw new AppError("BAD_REQUEST", "No email specified in JSON web token claims");
  }
  return email;
}

async function readClaims(
  app: ChatApp,
  realm: RealmRecord,
  { token, key }: { token: string; key: TokenKey },
): Promise<JWTPayload> {
  if (token.length > MAX_TOKEN_LENGTH) throw badTokenError();
  const now = app.clock.now();
  try {
    const claims = await verify(token, key, now);
    const isTimely = isWithinLifetime(claims, now) &&
      isYoung(claims, { now, maxAge: app.config.jwtMaxAgeSeconds });
    if (isTimely && isVerified(claims) && hasAudience(claims, realmUrl(app, realm))) return claims;
  } catch (cause) {
    throw badTokenError(cause);
  }
  throw badTokenError();
}

/**
 * Verifies the signature. A public key never verifies an HMAC algorithm and a shared secret no other,
 * whatever the token's header asks for.
 */
async function verify(token: string, { key, algorithms }: TokenKey, now: number): Promise<JWTPayload> {
  const isPublicKey = key.trimStart().startsWith("-----BEGIN ");
  const options = {
    algorithms: algorithms.filter((name) => name.startsWith("HS") !== isPublicKey),
    clockTolerance: LEEWAY_SECONDS,
    currentDate: new Date(now),
  };
  const verified = isPublicKey
    ? await jwtVerify(token, (header: { alg: string }) => importSPKI(key, header.alg), options)
    : await jwtVerify(token, new TextEncoder().encode(key), options);
  return verified.payload;
}

/** Applies the tolerance to the start of the lifetime only, never to its end. */
function isWithinLifetime({ exp, nbf, iat = 0 }: JWTPayload, now: number): boolean {
  const times = [exp, nbf, iat].filter((time) => time !== undefined);
  // JSON holds numbers such as 1e400, which are read as infinite.
  if (!times.every((time) => Number.isFinite(time) && Math.abs(time) <= MAX_TIME)) return false;
  return (exp === undefined || exp * 1000 > now) && iat <= now / 1000 + LEEWAY_SECONDS;
}

/** Whether a token was issued within the greatest age that the operator allows; 0 allows any. */
function isYoung({ iat }: JWTPayload, { now, maxAge }: { now: number; maxAge: number }): boolean {
  return maxAge === 0 || iat !== undefined && now / 1000 - iat <= maxAge;
}

/** Whether the issuer does not deny that the address belongs to the user; some issuers send texts. */
function isVerified({ email_verified: isVerified }: JWTPayload): boolean {
  return isVerified === undefined || isVerified === true || isVerified === "true";
}

/** Accepts a token for this organization or without an audience. */
function hasAudience({ aud }: JWTPayload, url: string): boolean {
  return aud === undefined || [aud].flat().includes(url);
}

function badTokenError(cause?: unknown): AppError {
  return new AppError("BAD_REQUEST", "Bad JSON web token", { cause });
}

/**
 * Returns the organization and the user with the address of a signed token.
 * @throws AppError NONEXISTENT_SUBDOMAIN, BAD_REQUEST for the token, AUTHENTICATION_FAILED, USER_DEACTIVATED
 * or REALM_DEACTIVATED.
 */
export async function authenticateToken(
  app: ChatApp,
  where: RealmRecord | null,
  token: string,
): Promise<{ realm: RealmRecord; user: UserRecord }> {
  const realm = requireRealm(where);
  const email = await readTokenEmail(app, realm, token);
  const user = requireActivePerson(realm, await readUserByRealEmail(app, realm.id, email));
  app.activity.record(realm, user);
  return { realm, user };
}
