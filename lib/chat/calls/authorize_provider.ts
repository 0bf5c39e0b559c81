import { sha256, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import { generateLinkToken } from "../auth/confirmations.ts";
import type { Caller } from "../users/model.ts";
import { getVideoProvider } from "./model.ts";
import { requestToken } from "./request_token.ts";
import { saveProviderToken } from "./save_token.ts";

/** Time that a user may take to authorize at the provider, in milliseconds. */
const STATE_MS = 10 * 60_000;
const PATH = "/calls/videoprovider/complete";

/** Authorization that a user has started. */
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
