import { z } from "zod";
import { sha256, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import { newLinkToken } from "../confirmations/confirmation.ts";
import type { Caller } from "../users/caller.ts";
import { type ProviderToken, putToken } from "./provider_token.ts";

/** How long somebody may take to agree at the provider, in milliseconds. */
const STATE_MS = 10 * 60_000;
const PATH = "/calls/videoprovider/complete";

/** Whose consent is asked for. */
interface StateRecord {
  readonly user_id: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/**
 * The provider of video calls.
 * @throws AppError BAD_REQUEST where there is none.
 */
export function getProvider({ config }: Pick<ChatApp, "config">): VideoProvider {
  if (config.videoProvider !== null) return config.videoProvider;
  throw new AppError("BAD_REQUEST", "Video provider credentials have not been configured");
}

/** The provider's page that asks somebody whether this server may make calls in his name. */
export async function startConsent(app: ChatApp, { realm, actingUser }: Caller): Promise<string> {
  const provider = getProvider(app);
  const secret = newLinkToken();
  const record = { user_id: actingUser.id, expires_at: app.clock.now() + STATE_MS };
  const key = await stateKey(realm.id, secret);
  await transact(app.store, (tx) => Promise.resolve(tx.set(key, record, { expireIn: STATE_MS })));
  const url = new URL(provider.authorize_url);
  url.searchParams.set("response_type", "code");
  url.searchParams.set("client_id", provider.client_id);
  url.searchParams.set("redirect_uri", redirectUri(app));
  // Providers know one address of this server: it sends people of other organizations on to theirs.
  url.searchParams.set("state", `${realm.subdomain}.${secret}`);
  return url.href;
}

/** The subdomain of the organization for which consent was asked for. */
export function subdomainOfState(state: string): string {
  return state.split(".")[0] ?? "";
}

/**
 * Takes what the provider sent somebody back with, and keeps his token.
 * @throws AppError BAD_REQUEST for a state that is not his or has expired, and for a code that the provider does not take.
 */
export async function finishConsent(
  app: ChatApp,
  caller: Caller,
  { code, state }: { code: string; state: string },
): Promise<void> {
  const provider = getProvider(app);
  await takeState(app, caller, { secret: state.split(".")[1] ?? "", provider });
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirectUri(app) };
  const token = code === "" ? null : (await askForToken(app, provider, grant)).token;
  if (token === null) throw new AppError("BAD_REQUEST", `Invalid ${provider.name} credentials`);
  await putToken(app, caller, token);
}

/** A state is used once, whatever comes of it. */
async function takeState(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { secret, provider }: { secret: string; provider: VideoProvider },
): Promise<void> {
  const key = await stateKey(realm.id, secret);
  const isTaken = await transact(app.store, async (tx) => {
    const record = await tx.get<StateRecord>(key);
    if (record === null || record.user_id !== actingUser.id) return false;
    tx.delete(key);
    return record.expires_at > app.clock.now();
  });
  if (!isTaken) throw new AppError("BAD_REQUEST", `Invalid ${provider.name} session identifier`);
}

const answered = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
});

/** What a provider gave for a code or for an older token: null where it gave none, be it that it refused to or failed. */
export interface Granted {
  readonly token: ProviderToken | null;
  readonly isRefused: boolean;
}

/** Asks the provider for a token. */
export async function askForToken(
  app: ChatApp,
  { token_url, client_id, client_secret }: VideoProvider,
  grant: Readonly<Record<string, string>>,
): Promise<Granted> {
  const body = new URLSearchParams({ ...grant, client_id, client_secret });
  const answer = await fetchJson(token_url, { method: "POST", body, headers: { accept: "application/json" } })
    .catch(() => null);
  const parsed = answered.safeParse(answer?.status === 200 ? answer.body : undefined);
  if (!parsed.success) return { token: null, isRefused: answer?.status === 400 || answer?.status === 401 };
  const { access_token, refresh_token = grant["refresh_token"] ?? null, expires_in } = parsed.data;
  const expires_at = expires_in === undefined ? null : app.clock.now() + expires_in * 1000;
  return { token: { access_token, refresh_token, expires_at }, isRefused: false };
}

function redirectUri({ config }: ChatApp): string {
  return config.baseUrl + PATH;
}

async function stateKey(realmId: number, secret: string): Promise<Key> {
  return [realmId, "call_state", toHex(await sha256(secret))];
}
