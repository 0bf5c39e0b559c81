import { readNonce } from "../render/render_page.ts";
import type { Middleware } from "../types.ts";

/** Options of `csp()`. */
export interface CSPOptions {
  /** Only reports what the policy would forbid. */
  reportOnly?: boolean;
  /** The URL that gets the reports. */
  reportTo?: string;
  /** Further directives; they replace the default ones of the same names. */
  csp?: string[];
  /** Puts the page's nonce in place of 'unsafe-inline' wherever it is about scripts and styles. */
  useNonce?: boolean;
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
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { reportOnly = false, reportTo, csp = [], useNonce = false } = options;
  const directives = [...mergedDirectives(csp), ...reportDirectives(reportTo)];
  const policy = directives.join("; ");
  const header = reportOnly ? "Content-Security-Policy-Report-Only" : "Content-Security-Policy";
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = useNonce ? readNonce(response) : null;
    response.headers.set(header, nonce === null ? policy : policyWithNonce(directives, nonce));
    if (reportTo) {
      response.headers.set("Reporting-Endpoints", `csp-endpoint="${reportTo}"`);
    }
    return response;
  };
}

function reportDirectives(reportTo: string | undefined): string[] {
  return reportTo ? ["report-to csp-endpoint", `report-uri ${reportTo}`] : [];
}

function mergedDirectives(own: readonly string[]): string[] {
  const names = new Set(own.map(nameOf));
  return [...DEFAULT_DIRECTIVES.filter((directive) => !names.has(nameOf(directive))), ...own];
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
