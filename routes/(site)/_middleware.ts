import { csp } from "fresh";
import { PAGE_DIRECTIVES } from "@/lib/http/security_headers.ts";
import { define } from "@/lib/http/services.ts";

const POLICY = "content-security-policy";

/** The one inline script starts the islands; Fresh puts the answer's nonce where inline scripts are allowed. */
const directives = PAGE_DIRECTIVES.map((directive) =>
  directive.startsWith("script-src ") ? `${directive} 'unsafe-inline'` : directive
);

export const handler = define.middleware([
  async (ctx) => {
    const response = await ctx.next();
    const policy = response.headers.get(POLICY);
    const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (policy === null) return response;
    // An answer without a page has no nonce: it gets the policy for data, which allows nothing.
    if (!isPage) response.headers.delete(POLICY);
    // Where Sotto is served without TLS there is nothing to upgrade to.
    else if (!ctx.state.app.config.baseUrl.startsWith("https:")) {
      response.headers.set(POLICY, policy.replace("; upgrade-insecure-requests", ""));
    }
    return response;
  },
  csp({ csp: [...directives, "media-src 'none'", "worker-src 'none'"], useNonce: true }),
]);
