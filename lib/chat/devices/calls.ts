import { z } from "zod";
import { sha256, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { fetchJson, type JsonResponse } from "@/lib/core/fetch_json.ts";
import { redeemCode, redeemRefreshToken } from "@/lib/core/oauth_tokens.ts";
import { createSealer } from "@/lib/core/seal.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import type { VideoProvider } from "../organization/config.ts";
import { generateLinkToken } from "../people/auth/confirmations.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import type { Caller } from "../organization/users/model.ts";

/** Token that lets this server act for a user at the video call provider. */
interface ProviderToken {
  readonly access_token: string;
  readonly refresh_token: string | null;
  /** Milliseconds since 1970 UTC; null if the provider names no expiry. */
  readonly expires_at: number | null;
}

interface StoredToken {
  /** Null if the server's secret key has changed since the token was sealed. */
  readonly token: ProviderToken | null;
  /** Unique version, different for every stored token. */
  readonly version: string;
}

/** @throws AppError BAD_REQUEST if there is none. */
function getVideoProvider({ config }: Pick<ChatApp, "config">): VideoProvider {
  if (config.videoProvider !== null) return config.videoProvider;
  throw new AppError("BAD_REQUEST", "Video provider credentials have not been configured");
}

/** Creates the error for a call that the provider did not create or a token that it failed to refresh. */
function callFailed({ name }: VideoProvider): AppError {
  return new AppError("BAD_REQUEST", `Failed to create ${name} call`);
}

const storedTokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  expires_at: z.number().nullable(),
});

type SealedToken = Uint8Array<ArrayBuffer>;

function tokenKey(realmId: number, userId: number): Key {
  return [realmId, "call_token", userId];
}

/** Returns whether a user has authorized this server at the video call provider. */
export async function hasProviderToken(app: ChatApp, realmId: number, userId: number): Promise<boolean> {
  return await app.reads.read(tokenKey(realmId, userId)) !== null;
}

/** Reads a user's token; null if there is none. */
export async function readProviderToken(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<StoredToken | null> {
  const sealed = await app.reads.read<SealedToken>(tokenKey(realm.id, actingUser.id));
  if (sealed === null) return null;
  const text = await createTokenSealer(app).open(sealed);
  return {
    token: text === null ? null : storedTokenSchema.parse(JSON.parse(text)),
    version: tokenVersion(sealed),
  };
}

/** Returns the version of a sealed token, which is unique because sealing uses a fresh nonce. */
function tokenVersion(sealed: SealedToken): string {
  return sealed.toBase64();
}

function createTokenSealer({ secretKey }: ChatApp) {
  return createSealer(secretKey, "video call tokens");
}

/** Response fields in which providers return the URL of a call. */
const URL_FIELDS = ["url", "join_url", "meeting_url", "webLink"];
const MAX_URL = 2000;
/** Number of attempts with a newer token when one was revoked while it was in use. */
const ATTEMPTS = 2;

/**
 * Creates a video call as the caller and returns its URL.
 * @throws AppError BAD_REQUEST without a provider or if it fails; INVALID_VIDEO_CALL_PROVIDER_TOKEN if the
 * caller has no token or the provider rejects it, which deletes it.
 */
export async function createCall(app: ChatApp, caller: Caller): Promise<string> {
  const provider = getVideoProvider(app);
  const message = `Invalid ${provider.name} access token`;
  const invalidToken = () => new AppError("INVALID_VIDEO_CALL_PROVIDER_TOKEN", message);
  for (let attempt = 1;; attempt++) {
    const held = await getFreshToken(app, provider, caller);
    if (held === null) throw invalidToken();
    const response = held.token === null ? null : await requestCall(provider, held.token);
    // A token that cannot be decrypted counts as rejected.
    if (held.token !== null && response?.status !== 401) return readCallUrl(response, provider);
    const newer = await replaceProviderToken(app, caller, { held, token: null });
    if (newer === null || attempt === ATTEMPTS) throw invalidToken();
  }
}

async function requestCall(
  { create_url }: VideoProvider,
  { access_token }: ProviderToken,
): Promise<JsonResponse | null> {
  return await fetchJson(create_url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${access_token}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: "{}",
  }).catch(() => null);
}

function readCallUrl(response: JsonResponse | null, provider: VideoProvider): string {
  const isCreated = response !== null && response.status >= 200 && response.status < 300;
  const url = isCreated ? findCallUrl(response.body, provider) : null;
  if (url === null) throw callFailed(provider);
  return url;
}

function findCallUrl(body: unknown, { url_field }: VideoProvider): string | null {
  if (typeof body !== "object" || body === null) return null;
  const fields = url_field === undefined ? URL_FIELDS : [url_field];
  const values: unknown[] = fields.map((field) => Reflect.get(body, field));
  const url = values.find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string" || url.length > MAX_URL) return null;
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : null;
}

/** A token that expires within this many milliseconds is refreshed first. */
const EXPIRY_MARGIN_MS = 60_000;
/** Number of reads of the store while another server may be storing a newer token. */
const POLL_ATTEMPTS = 10;
/** Pause between two reads, in milliseconds. */
const POLL_INTERVAL_MS = 50;

/**
 * Returns the caller's token, refreshed if it is about to expire; concurrent calls share one refresh. Returns
 * null if there is none; one that the provider refuses to refresh is deleted.
 * @throws AppError BAD_REQUEST if the provider fails.
 */
async function getFreshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<StoredToken | null> {
  const held = await readProviderToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const { realm, actingUser } = caller;
  const name = `call token ${realm.id} ${actingUser.id}`;
  return await app.store.queues.share(name, () => refreshToken(app, provider, caller));
}

/** Returns whether a token needs no refresh; one that cannot be decrypted cannot be refreshed either. */
function isFresh({ clock }: ChatApp, { token }: StoredToken): boolean {
  return token === null || token.expires_at === null || token.expires_at - EXPIRY_MARGIN_MS > clock.now();
}

async function refreshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<StoredToken | null> {
  // The token may have been refreshed since the first read.
  const held = await readProviderToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const refreshToken = held.token?.refresh_token || null;
  if (refreshToken === null) return await replaceProviderToken(app, caller, { held, token: null });
  const { token, isRejected } = await requestToken(app, provider, { refreshToken });
  if (token !== null) return await replaceProviderToken(app, caller, { held, token });
  if (!isRejected) throw callFailed(provider);
  return await waitForNewerToken(app, caller, held) ??
    await replaceProviderToken(app, caller, { held, token: null });
}

/**
 * Waits for the token that another server obtained with the same refresh token; returns null if there is
 * none.
 */
async function waitForNewerToken(
  app: ChatApp,
  caller: Caller,
  held: StoredToken,
): Promise<StoredToken | null> {
  for (let attempt = 0; attempt < POLL_ATTEMPTS; attempt++) {
    const stored = await readProviderToken(app, caller);
    if (stored !== null && stored.version !== held.version) return stored;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return null;
}

/** Time that a user may take to authorize at the provider, in milliseconds. */
const STATE_MS = 10 * 60_000;
const PATH = "/calls/videoprovider/complete";

interface AuthorizationStateRecord {
  readonly user_id: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/** Starts the caller's OAuth authorization and returns the URL of the provider's consent page. */
export async function startAuthorization(app: ChatApp, { realm, actingUser }: Caller): Promise<string> {
  const provider = getVideoProvider(app);
  const secret = generateLinkToken();
  const record = { user_id: actingUser.id, expires_at: app.clock.now() + STATE_MS };
  const key = await stateKey(realm.id, secret);
  await transact(app.store, (tx) => Promise.resolve(tx.set(key, record, { expireIn: STATE_MS })));
  const url = new URL(provider.authorize_url);
  url.searchParams.set("response_type", "code");
  url.searchParams.set("client_id", provider.client_id);
  url.searchParams.set("redirect_uri", redirectUri(app));
  // Providers know one address of this server, which redirects users of other organizations to their own.
  url.searchParams.set("state", `${realm.subdomain}.${secret}`);
  return url.href;
}

/** Returns the subdomain of the organization in which an authorization was started. */
export function getStateSubdomain(state: string): string {
  return state.split(".")[0] ?? "";
}

/**
 * Completes the caller's OAuth authorization and stores the token.
 * @throws AppError BAD_REQUEST for a state that is expired or another user's, and for a code that the
 * provider rejects.
 */
export async function finishAuthorization(
  app: ChatApp,
  caller: Caller,
  { code, state }: { code: string; state: string },
): Promise<void> {
  const provider = getVideoProvider(app);
  await consumeState(app, caller, { secret: state.split(".")[1] ?? "", provider });
  const grant = { code, redirectUri: redirectUri(app) };
  const token = code === "" ? null : (await requestToken(app, provider, grant)).token;
  if (token === null) throw new AppError("BAD_REQUEST", `Invalid ${provider.name} credentials`);
  await saveProviderToken(app, caller, token);
}

/** Deletes the caller's state, which is valid once, whether the authorization succeeds or not. */
async function consumeState(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { secret, provider }: { secret: string; provider: VideoProvider },
): Promise<void> {
  const key = await stateKey(realm.id, secret);
  const isValid = await transact(app.store, async (tx) => {
    const record = await tx.get<AuthorizationStateRecord>(key);
    if (record === null || record.user_id !== actingUser.id) return false;
    tx.delete(key);
    return record.expires_at > app.clock.now();
  });
  if (!isValid) throw new AppError("BAD_REQUEST", `Invalid ${provider.name} session identifier`);
}

function redirectUri({ config }: ChatApp): string {
  return config.baseUrl + PATH;
}

async function stateKey(realmId: number, secret: string): Promise<Key> {
  return [realmId, "call_state", toHex(await sha256(secret))];
}

/**
 * Requests a token from the provider for an authorization code or a refresh token; null if it issues none, because it
 * rejects the grant or because it fails.
 */
async function requestToken(
  { clock }: ChatApp,
  { token_url, client_id, client_secret }: VideoProvider,
  grant: { readonly code: string; readonly redirectUri: string } | { readonly refreshToken: string },
): Promise<{ token: ProviderToken | null; isRejected: boolean }> {
  const endpoint = { url: token_url, clientId: client_id, clientSecret: client_secret };
  const { token, isRejected } = "code" in grant
    ? await redeemCode(endpoint, grant)
    : await redeemRefreshToken(endpoint, grant.refreshToken);
  if (token === null) return { token, isRejected };
  const { access_token, expires_in } = token;
  // A provider that sends no new refresh token keeps accepting the one that was used.
  const refresh_token = token.refresh_token ?? ("refreshToken" in grant ? grant.refreshToken : null);
  const expires_at = expires_in === undefined ? null : clock.now() + expires_in * 1000;
  return { token: { access_token, refresh_token, expires_at }, isRejected };
}

/** Stores a user's token, sealed, and sends an event if the user had none. */
export async function saveProviderToken(app: ChatApp, caller: Caller, token: ProviderToken): Promise<void> {
  await changeToken(app, caller, { token, canReplace: () => true });
}

/**
 * Replaces the token that a new one was issued for, or deletes it if `token` is null. Keeps a different token
 * that was stored meanwhile. Returns the token that is stored afterwards.
 */
async function replaceProviderToken(
  app: ChatApp,
  caller: Caller,
  { held, token }: { held: StoredToken; token: ProviderToken | null },
): Promise<StoredToken | null> {
  const canReplace = (sealed: SealedToken | null) => sealed === null || tokenVersion(sealed) === held.version;
  await changeToken(app, caller, { token, canReplace });
  return await readProviderToken(app, caller);
}

async function changeToken(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { token, canReplace }: {
    token: ProviderToken | null;
    canReplace: (current: SealedToken | null) => boolean;
  },
): Promise<void> {
  const sealed = token === null ? null : await createTokenSealer(app).seal(JSON.stringify(token));
  const key = tokenKey(realm.id, actingUser.id);
  await transact(app.store, async (tx) => {
    const before = await tx.get<SealedToken>(key);
    if (!canReplace(before)) return;
    if (sealed === null) tx.delete(key);
    else tx.set(key, sealed);
    if ((before !== null) === (sealed !== null)) return;
    const event = { type: "has_videoprovider_token", value: sealed !== null };
    sendChangeEvent({ app, tx, realm }, event, [actingUser.id]);
  });
}
