import { readNonce } from "../render/render_page.ts";
import type { Middleware } from "../types.ts";

/** Options of `csp()`. */
export interface CSPOptions {
  /** Further directives; they replace the default ones of the same names. */
  csp?: string[];
  /** Puts the page's nonce in place of 'unsafe-inline' wherever it is about scripts and styles. */
  useNonce: true;
}

const DEFAULT_DIRECTIVES: readonly string[] = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "upgrade-insecure-requests",
];

/** Directives whose 'unsafe-inline' is replaced by the nonce. */
const INLINE_DIRECTIVES: ReadonlySet<string> = new Set([
  "default-src",
  "script-src",
  "script-src-elem",
  "style-src",
  "style-src-attr",
  "style-src-elem",
]);

/** Sets the Content-Security-Policy header. */
export function csp<State>({ csp = [] }: CSPOptions): Middleware<State> {
  const names = new Set(csp.map(nameOf));
  const directives = [...DEFAULT_DIRECTIVES.filter((directive) => !names.has(nameOf(directive))), ...csp];
  const policy = directives.join("; ");
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = readNonce(response);
    const value = nonce === null ? policy : policyWithNonce(directives, nonce);
    response.headers.set("Content-Security-Policy", value);
    return response;
  };
}

function nameOf(directive: string): string {
  return directive.split(" ", 1)[0] ?? "";
}

function policyWithNonce(directives: readonly string[], nonce: string): string {
  return directives.map((directive) =>
    INLINE_DIRECTIVES.has(nameOf(directive))
      ? directive.replaceAll("'unsafe-inline'", `'nonce-${nonce}'`)
      : directive
  ).join("; ");
}
