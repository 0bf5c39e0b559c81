import { redeemCode, redeemRefreshToken } from "@/lib/core/oauth_tokens.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { ProviderToken } from "./model.ts";

/** An authorization code or a refresh token, for which the provider issues a token. */
export type TokenGrant =
  | { readonly code: string; readonly redirectUri: string }
  | { readonly refreshToken: string };

/** Outcome of a token request. */
export interface TokenResponse {
  /** Null if the provider issued no token. */
  readonly token: ProviderToken | null;
  /** Whether the provider rejected the grant, rather than failed. */
  readonly isRejected: boolean;
}

/** Requests a token from the provider for an authorization code or a refresh token. */
export async function requestToken(
  { clock }: ChatApp,
  { token_url, client_id, client_secret }: VideoProvider,
  grant: TokenGrant,
): Promise<TokenResponse> {
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
