import { csp } from "fresh";
import type { Context, Middleware } from "fresh";
import { PAGE_DIRECTIVES } from "../api/security_headers.ts";
import { readSessionToken } from "../api/cookies.ts";
import type { State } from "../services/services.ts";

const POLICY = "content-security-policy";

/** Fresh puts the response's nonce where inline scripts are allowed, and in every script of the page. */
const directives = PAGE_DIRECTIVES.map((directive) =>
  directive.startsWith("script-src ") ? "script-src 'unsafe-inline'" : directive
);

/** Content security policy of pages with islands. */
export const pagePolicy: Middleware<State>[] = [
  mendPolicy,
  csp({ csp: [...directives, "media-src 'none'", "worker-src 'none'"], useNonce: true }),
];

async function mendPolicy(ctx: Context<State>): Promise<Response> {
  const response = await ctx.next();
  const { headers } = response;
  const policy = headers.get(POLICY);
  if (policy === null) return response;
  setPreloadNonce(headers, policy);
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  // A page of a signed-in user must not be shown to the next user of the same screen.
  if (readSessionToken(ctx.req, ctx.state.app.isHttps) !== null) headers.set("cache-control", "no-store");
  // A response that is not a page has no nonce: it gets the policy for data, which allows nothing.
  if (!isPage) headers.delete(POLICY);
  // Without TLS there is nothing to upgrade to, and browsers would ask a port that does not listen.
  else if (ctx.state.app.config.baseUrl.startsWith("http:")) {
    headers.set(POLICY, policy.replace("; upgrade-insecure-requests", ""));
  }
  return response;
}

/** Fresh names scripts to load early without the nonce, and browsers refuse them where only the nonce allows any. */
function setPreloadNonce(headers: Headers, policy: string): void {
  const links = headers.get("link");
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (links === null || nonce === undefined) return;
  headers.set("link", links.replaceAll('rel="modulepreload"', `rel="modulepreload"; nonce="${nonce}"`));
}
