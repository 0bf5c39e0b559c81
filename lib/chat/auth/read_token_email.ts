import { importSPKI, type JWTPayload, jwtVerify } from "jose";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp, ChatConfig } from "../app.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";

type TokenKey = ChatConfig["jwtAuthKeys"][string];

/** Maximum length of a token in characters. */
const MAX_TOKEN_LENGTH = 8192;
/** Latest time of a token, in seconds since 1970 UTC: the end of the year 9999. */
const MAX_TIME = 253_402_300_799;
/** Tolerance for an issuer's clock that is ahead. */
const LEEWAY_SECONDS = 60;

/**
 * Returns the email address in a valid token signed with the organization's key.
 * @throws AppError BAD_REQUEST when tokens are not enabled, or the token is missing, invalid, too old or without
 * a verified address.
 */
export async function readTokenEmail(app: ChatApp, realm: RealmRecord, token: string): Promise<string> {
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
