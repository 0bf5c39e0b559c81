import { AppError } from "@/lib/core/errors.ts";
import { fetchJson, type JsonAnswer } from "@/lib/core/fetch_json.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getFreshToken } from "./get_fresh_token.ts";
import { callFailed, getVideoProvider, type ProviderToken } from "./model.ts";
import { replaceProviderToken } from "./save_token.ts";

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
  for (let attempt = 1;; attempt++) {
    const held = await getFreshToken(app, provider, caller);
    if (held === null) throw invalidToken(provider);
    const answer = held.token === null ? REJECTED : await requestCall(provider, held.token);
    if (answer?.status !== 401) return readCallUrl(answer, provider);
    const newer = await replaceProviderToken(app, caller, { held, token: null });
    if (newer === null || attempt === ATTEMPTS) throw invalidToken(provider);
  }
}

/** Response assumed for a token that cannot be decrypted. */
const REJECTED: JsonAnswer = { status: 401, body: undefined };

async function requestCall(
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

function readCallUrl(answer: JsonAnswer | null, provider: VideoProvider): string {
  const isCreated = answer !== null && answer.status >= 200 && answer.status < 300;
  const url = isCreated ? findCallUrl(answer.body, provider) : null;
  if (url === null) throw callFailed(provider);
  return url;
}

function invalidToken({ name }: VideoProvider): AppError {
  return new AppError("INVALID_VIDEO_CALL_PROVIDER_TOKEN", `Invalid ${name} access token`);
}

function findCallUrl(body: unknown, { url_field }: VideoProvider): string | null {
  if (typeof body !== "object" || body === null) return null;
  const fields = url_field === undefined ? URL_FIELDS : [url_field];
  const values: unknown[] = fields.map((field) => Reflect.get(body, field));
  const url = values.find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string" || url.length > MAX_URL) return null;
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : null;
}
