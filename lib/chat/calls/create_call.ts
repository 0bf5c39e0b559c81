import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { askForToken, getProvider } from "./oauth.ts";
import { type ProviderToken, putToken, readToken } from "./provider_token.ts";

/** Members in which providers tell where a call is. */
const URL_FIELDS = ["url", "join_url", "meeting_url", "webLink"];
/** A token that ends within so many milliseconds is renewed first. */
const SPARE_MS = 60_000;
const MAX_URL = 2000;

/**
 * Makes a video call in somebody's name and gives its address.
 * @throws AppError BAD_REQUEST without a provider and where it fails; INVALID_VIDEO_CALL_PROVIDER_TOKEN where it does not
 * let him: then his token is forgotten.
 */
export async function createCall(app: ChatApp, caller: Caller): Promise<string> {
  const provider = getProvider(app);
  const token = await freshToken(app, provider, caller);
  if (token === null) return await refuseToken(app, provider, caller);
  const answer = await fetchJson(provider.create_url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token.access_token}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: "{}",
  }).catch(() => null);
  if (answer?.status === 401) return await refuseToken(app, provider, caller);
  const isMade = answer !== null && answer.status >= 200 && answer.status < 300;
  const url = isMade ? urlIn(answer.body, provider) : null;
  if (url === null) throw failed(provider);
  return url;
}

function failed({ name }: VideoProvider): AppError {
  return new AppError("BAD_REQUEST", `Failed to create ${name} call`);
}

/**
 * A token that still holds, renewed where it is about to end; null where the provider gives none.
 * @throws AppError BAD_REQUEST where the provider fails.
 */
async function freshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<ProviderToken | null> {
  const token = await readToken(app, caller);
  if (token === null || token.expires_at === null || token.expires_at - SPARE_MS > app.clock.now()) {
    return token;
  }
  const { refresh_token } = token;
  if (refresh_token === null) return null;
  const grant = { grant_type: "refresh_token", refresh_token };
  const { token: renewed, isRefused } = await askForToken(app, provider, grant);
  if (renewed !== null) await putToken(app, caller, renewed);
  else if (!isRefused) throw failed(provider);
  return renewed;
}

async function refuseToken(app: ChatApp, provider: VideoProvider, caller: Caller): Promise<never> {
  await putToken(app, caller, null);
  throw new AppError("INVALID_VIDEO_CALL_PROVIDER_TOKEN", `Invalid ${provider.name} access token`);
}

function urlIn(body: unknown, { url_field }: VideoProvider): string | null {
  if (typeof body !== "object" || body === null) return null;
  const fields = url_field === undefined ? URL_FIELDS : [url_field];
  const found: unknown[] = fields.map((field) => Reflect.get(body, field));
  const url = found.find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string" || url.length > MAX_URL) return null;
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : null;
}
