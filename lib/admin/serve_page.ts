import { type Context, HttpError, type Middleware, type PageResponse } from "fresh";
import type { State } from "@/lib/services/services.ts";

/** Finds the declared page at the path of a request, also for the log line of one that the gate refuses. */
export const findPage: Middleware<State> = async (ctx) => {
  // Other routes have no such parameter.
  if (ctx.params["page"] === undefined) return await ctx.next();
  // Loaded by the first request of an admin page, so that the server starts without them.
  const { findDeclaredPage } = await import("./pages/declared_pages.ts");
  const found = findDeclaredPage(ctx.url.pathname);
  if (found !== null) {
    Object.assign(ctx.params, found.params);
    ctx.state.page = { route: found.page.path.replace(/\[(\w+)\]/, ":$1"), handler: found.page };
  }
  return await ctx.next();
};

/** @throws HttpError 404 when no page is declared at the path. */
export async function servePage(ctx: Context<State>): Promise<Response | PageResponse<never>> {
  if (ctx.state.page === undefined) throw new HttpError(404);
  return await ctx.state.page.handler(ctx);
}
