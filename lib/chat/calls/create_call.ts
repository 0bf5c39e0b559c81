import { AppError } from "@/lib/core/errors.ts";
import { fetchJson, type JsonAnswer } from "@/lib/core/fetch_json.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { callFailed, freshToken } from "./fresh_token.ts";
import { getProvider } from "./oauth.ts";
import { type ProviderToken, replaceToken } from "./provider_token.ts";

/** Members in which providers tell where a call is. */
const URL_FIELDS = ["url", "join_url", "meeting_url", "webLink"];
const MAX_URL = 2000;

/** How often a newer token is tried where one was taken back while it was used. */
const ATTEMPTS = 2;

/**
 * Makes a video call in somebody's name and gives its address.
 * @throws AppError BAD_REQUEST without a provider and where it fails; INVALID_VIDEO_CALL_PROVIDER_TOKEN where it does not
 * let him: then his token is forgotten.
 */
export async function createCall(app: ChatApp, caller: Caller): Promise<string> {
  const provider = getProvider(app);
  for (let attempt = 1;; attempt++) {
    const held = await freshToken(app, provider, caller);
    if (held === null) throw invalid(provider);
    const answer = held.token === null ? REFUSED : await askForCall(provider, held.token);
    if (answer?.status !== 401) return readUrl(answer, provider);
    const newer = await replaceToken(app, caller, { held, token: null });
    if (newer === null || attempt === ATTEMPTS) throw invalid(provider);
  }
}

/** As the provider would answer a token that cannot be read any more. */
const REFUSED: JsonAnswer = { status: 401, body: undefined };

async function askForCall(
  { create_url }: VideoProvider,
  { access_token }: ProviderToken,
): Promise<JsonAnswer | null> {
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

function readUrl(answer: JsonAnswer | null, provider: VideoProvider): string {
  const isMade = answer !== null && answer.status >= 200 && answer.status < 300;
  const url = isMade ? urlIn(answer.body, provider) : null;
  if (url === null) throw callFailed(provider);
  return url;
}

function invalid({ name }: VideoProvider): AppError {
  return new AppError("INVALID_VIDEO_CALL_PROVIDER_TOKEN", `Invalid ${name} access token`);
}

function urlIn(body: unknown, { url_field }: VideoProvider): string | null {
  if (typeof body !== "object" || body === null) return null;
  const fields = url_field === undefined ? URL_FIELDS : [url_field];
  const found: unknown[] = fields.map((field) => Reflect.get(body, field));
  const url = found.find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string" || url.length > MAX_URL) return null;
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : null;
}
