import type { AuthorizationServer, Client, ClientAuth, TokenEndpointRequestOptions } from "oauth4webapi";
import { fetchJson } from "./fetch_json.ts";

/** Token endpoint of an OAuth 2 server, with the credentials of a client. */
export interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  /** Sent in the body with the id; null for a grant that authenticates the client itself. */
  readonly clientSecret: string | null;
}

/** A token that an OAuth 2 server issued. */
interface IssuedToken {
  readonly access_token: string;
  readonly refresh_token?: string;
  /** Seconds. */
  readonly expires_in?: number;
}

interface TokenOutcome {
  /** Null if the server issued no token. */
  readonly token: IssuedToken | null;
  /** Whether the server rejected the grant, rather than failed. */
  readonly isRejected: boolean;
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Requests a token for an authorization code, whose state the caller has verified. */
export async function redeemCode(
  endpoint: TokenEndpoint,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<TokenOutcome> {
  return await requestToken(endpoint, (oauth, { server, client, authenticate, options }) => {
    const callback = new URLSearchParams({ code });
    const validated = oauth.validateAuthResponse(server, client, callback, oauth.expectNoState);
    return oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate,
      validated,
      redirectUri,
      oauth.nopkce,
      options,
    );
  });
}

export async function redeemRefreshToken(
  endpoint: TokenEndpoint,
  refreshToken: string,
): Promise<TokenOutcome> {
  return await requestToken(endpoint, (oauth, { server, client, authenticate, options }) => {
    return oauth.refreshTokenGrantRequest(server, client, authenticate, refreshToken, options);
  });
}

/** Requests a token for a signed assertion (RFC 7523). */
export async function redeemAssertion(endpoint: TokenEndpoint, assertion: string): Promise<TokenOutcome> {
  return await requestToken(endpoint, (oauth, { server, client, authenticate, options }) => {
    const { genericTokenEndpointRequest } = oauth;
    return genericTokenEndpointRequest(server, client, authenticate, JWT_BEARER, { assertion }, options);
  });
}

type OAuthLibrary = typeof import("oauth4webapi");

interface GrantArguments {
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly authenticate: ClientAuth;
  readonly options: TokenEndpointRequestOptions;
}

async function requestToken(
  { url, clientId, clientSecret }: TokenEndpoint,
  send: (oauth: OAuthLibrary, grant: GrantArguments) => Promise<Response>,
): Promise<TokenOutcome> {
  const oauth = await import("oauth4webapi");
  // The issuer would be compared with that of ID tokens, which are not used.
  const server = { issuer: new URL(url).origin, token_endpoint: url };
  const client = { client_id: clientId };
  const authenticate = authentication(oauth, clientSecret);
  // Configured addresses are on this machine unless they use TLS.
  const options = { [oauth.customFetch]: fetchToken, [oauth.allowInsecureRequests]: true };
  const response = await send(oauth, { server, client, authenticate, options }).catch(() => null);
  if (response === null) return { token: null, isRejected: false };
  try {
    const token = await oauth.processGenericTokenEndpointResponse(server, client, response);
    return { token, isRejected: false };
  } catch {
    return { token: null, isRejected: response.status === 400 || response.status === 401 };
  }
}

/** Returns how a client authenticates; the library refuses an empty secret, which may be omitted. */
function authentication(oauth: OAuthLibrary, clientSecret: string | null): ClientAuth {
  if (clientSecret === null) return () => {};
  return clientSecret === "" ? oauth.None() : oauth.ClientSecretPost(clientSecret);
}

async function fetchToken(
  url: string,
  { method, headers, body }: { method: "POST"; headers: Record<string, string>; body: URLSearchParams },
): Promise<Response> {
  const response = await fetchJson(url, { method, headers, body });
  return Response.json(response.status === 200 ? toConformant(response.body) : null, {
    status: response.status,
  });
}

/** Members that are used. The library would refuse a token for unusual values of others, such as ID tokens. */
const USED = ["access_token", "token_type", "refresh_token", "expires_in"];

/** Returns the members that are used and have a value, with the token type if it is missing. */
function toConformant(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return null;
  const members = Object.entries(body).filter(([name, value]) =>
    USED.includes(name) && value !== "" && value !== null
  );
  return { token_type: "bearer", ...Object.fromEntries(members) };
}
