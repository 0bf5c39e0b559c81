import { Context } from "../context.ts";
import type { Middleware } from "../types.ts";

/** Options of `csp()`. */
export interface CSPOptions {
  /** Only reports what the policy would forbid. */
  reportOnly?: boolean;
  /** The URL that gets the reports. */
  reportTo?: string;
  /** Further directives; one of a name that is set already replaces it. */
  csp?: string[];
  /** Allows inline scripts and styles by the page's nonce alone. */
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

/** Sets the Content-Security-Policy header. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const { reportOnly = false, reportTo, csp = [], useNonce = false } = options;
  const policy = mergedPolicy([...DEFAULT_DIRECTIVES, ...csp, ...reportDirectives(reportTo)]);
  const header = reportOnly ? "Content-Security-Policy-Report-Only" : "Content-Security-Policy";
  return async (ctx) => {
    const response = await ctx.next();
    const nonce = useNonce ? Context.internals(ctx).nonce : null;
    response.headers.set(header, nonce === null ? policy : withNonce(policy, nonce));
    if (reportTo) {
      response.headers.set("Reporting-Endpoints", `csp-endpoint="${reportTo}"`);
    }
    return response;
  };
}

function reportDirectives(reportTo: string | undefined): string[] {
  return reportTo ? ["report-to csp-endpoint", `report-uri ${reportTo}`] : [];
}

/** Browsers use the first directive of a name, so a later one replaces it. */
function mergedPolicy(directives: readonly string[]): string {
  const byName = new Map(directives.map((directive) => [directive.split(" ", 1)[0], directive]));
  return [...byName.values()].join("; ");
}

function withNonce(policy: string, nonce: string): string {
  return policy.replace(
    /(?<=^|; )(?:script|style)-src [^;]*/g,
    (directive) => directive.replace("'unsafe-inline'", `'nonce-${nonce}'`),
  );
}
