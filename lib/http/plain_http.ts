import type { Context } from "fresh";
import type { State } from "./services.ts";

const POLICY = "content-security-policy";

/**
 * Takes `upgrade-insecure-requests`, which Fresh always adds, out of a page's policy where the server is reached by
 * plain http: browsers would ask for style sheets and scripts where nobody listens.
 */
export async function allowPlainHttp(ctx: Context<State>): Promise<Response> {
  const response = await ctx.next();
  const policy = response.headers.get(POLICY);
  if (policy !== null && ctx.state.app.config.baseUrl.startsWith("http:")) {
    response.headers.set(POLICY, policy.replace(/;? *upgrade-insecure-requests/, ""));
  }
  return response;
}
