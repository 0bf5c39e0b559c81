import { z } from "zod";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { ProviderToken } from "./model.ts";

const tokenResponseSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.coerce.number().positive().optional(),
});

/** Outcome of a token request. */
export interface TokenResponse {
  /** Null if the provider issued no token. */
  readonly token: ProviderToken | null;
  /** Whether the provider rejected the grant, rather than failed. */
  readonly isRejected: boolean;
}

/** Requests a token from the provider for an authorization code or a refresh token. */
export async function requestToken(
  app: ChatApp,
  { token_url, client_id, client_secret }: VideoProvider,
  grant: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const body = new URLSearchParams({ ...grant, client_id, client_secret });
  const answer = await fetchJson(token_url, { method: "POST", body, headers: { accept: "application/json" } })
    .catch(() => null);
  const parsed = tokenResponseSchema.safeParse(answer?.status === 200 ? answer.body : undefined);
  if (!parsed.success) return { token: null, isRejected: answer?.status === 400 || answer?.status === 401 };
  const { access_token, refresh_token = grant["refresh_token"] ?? null, expires_in } = parsed.data;
  const expires_at = expires_in === undefined ? null : app.clock.now() + expires_in * 1000;
  return { token: { access_token, refresh_token, expires_at }, isRejected: false };
}
