/** Policy of a JSON response: it may do nothing in a browser. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Directives of a page; the nonce of each response allows its scripts. */
export const PAGE_DIRECTIVES: readonly string[] = [
  "default-src 'none'",
  // Pages with scripts replace it by their nonce: 'self' would include files that users uploaded.
  "script-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  // QR codes and charts are inline SVG; icons of the API documentation are data: images.
  "img-src 'self' data:",
  "connect-src 'self'",
  // A hijacked form must not send what was typed anywhere else.
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const PAGE_POLICY = PAGE_DIRECTIVES.join("; ");
const YEAR_SECONDS = 31_536_000;

/** Sets the headers of every response; keeps a policy that a page has set. */
export function setSecurityHeaders(headers: Headers, isHttps: boolean): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", isPage ? PAGE_POLICY : DATA_POLICY);
  }
  headers.set("x-content-type-options", "nosniff");
  // Invitation links and short links are confidential, so linked sites must not learn them. A page without
  // any referrer would send its own forms without an origin.
  headers.set("referrer-policy", isPage ? "same-origin" : "no-referrer");
  if (isPage) {
    headers.set("x-frame-options", "DENY");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  }
  if (isHttps) headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
}

/** Pages whose address holds a secret: the key of a link or of the setup. */
const SECRET_PATH = /^\/(?:join|reset-password|account\/confirm-email|setup)(?:\/|$)/;

/** Whether the address of a page holds a secret. `path` is a path or the pattern of a route. */
export function isSecretPath(path: string): boolean {
  return SECRET_PATH.test(path);
}

/** Hosts to which browsers send Fetch Metadata without TLS. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Keeps pages whose address holds a secret out of caches, and their address out of every request. `path` is a path or the
 * pattern of a route.
 */
export function setSecretPageHeaders(headers: Headers, path: string, baseUrl: string): void {
  if (!isSecretPath(path)) return;
  headers.set("cache-control", "no-store, no-transform");
  const { protocol, hostname } = new URL(baseUrl);
  // Without a referrer, forms carry no origin either. They are accepted by Fetch Metadata, which browsers do
  // not send to other hosts without TLS; there, other sites still learn nothing.
  if (protocol === "https:" || LOOPBACK.test(hostname)) headers.set("referrer-policy", "no-referrer");
}
