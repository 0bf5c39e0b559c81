import { importSPKI, type JWTPayload, jwtVerify } from "jose";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp, ChatConfig } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";

type TokenKey = ChatConfig["jwtAuthKeys"][string];

/** The longest token that is looked at, in characters. */
const MAX_TOKEN = 8192;
/** How far the clock of whoever made a token may run ahead. */
const LEEWAY_SECONDS = 60;

/**
 * The address in a token that this organization's key signed and that holds now.
 * @throws AppError BAD_REQUEST where no token is taken, none was sent, or it cannot be believed or names nobody.
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
  if (token.length > MAX_TOKEN) throw badToken();
  const now = app.clock.now();
  try {
    const claims = await verify(token, key, now);
    if (isTimely(claims, now) && isMeantFor(claims, realmUrl(app, realm))) return claims;
  } catch (cause) {
    throw badToken(cause);
  }
  throw badToken();
}

/** A public key never checks what a shared secret signs, nor the other way round, whatever the token asks for. */
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

/** The leeway is for clocks that run ahead: it lets a token begin early, never end late. */
function isTimely({ exp = Infinity, iat = 0 }: JWTPayload, now: number): boolean {
  return exp * 1000 > now && typeof iat === "number" && iat <= now / 1000 + LEEWAY_SECONDS;
}

/** A token that was made for somebody else is not taken; one that names nobody is. */
function isMeantFor({ aud }: JWTPayload, url: string): boolean {
  return aud === undefined || [aud].flat().includes(url);
}

function badToken(cause?: unknown): AppError {
  return new AppError("BAD_REQUEST", "Bad JSON web token", { cause });
}
