/** What a JSON answer may do in a browser: nothing. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The directives of a page; scripts are added by the nonce of each answer. */
export const PAGE_DIRECTIVES: readonly string[] = [
  "default-src 'none'",
  // Bundles come from this server; Fresh's one inline script carries the answer's nonce.
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  // QR codes and charts are drawn as inline SVG; icons of the API documentation are data: images.
  "img-src 'self' data:",
  "connect-src 'self'",
  // A form that was taken over must not send what was typed anywhere else.
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const PAGE_POLICY = PAGE_DIRECTIVES.join("; ");
const YEAR_SECONDS = 31_536_000;

/** Sets the headers that every answer carries; a policy that a page set for itself stays. */
export function setSecurityHeaders(headers: Headers, isHttps: boolean): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", isPage ? PAGE_POLICY : DATA_POLICY);
  }
  headers.set("x-content-type-options", "nosniff");
  // Invitation links and short links are secrets of a kind: no page that they lead to learns them. A page without any
  // referrer would send its own forms without an origin.
  headers.set("referrer-policy", isPage ? "same-origin" : "no-referrer");
  if (isPage) {
    headers.set("x-frame-options", "DENY");
    headers.set("cross-origin-opener-policy", "same-origin");
    headers.set("cross-origin-resource-policy", "same-origin");
    headers.set("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=()");
  }
  if (isHttps) headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
}
