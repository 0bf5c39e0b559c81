import type { Context, Middleware } from "fresh";
import type { State } from "../services/services.ts";

/**
 * Serves static files for paths that contain a dot: every file name has one, and no short id does. Files of
 * packages carry their version in their name, so browsers may cache them for a year.
 */
export function serveStaticFiles(staticFiles: Middleware<State>): Middleware<State> {
  return (ctx) => {
    const { pathname } = ctx.url;
    if (!pathname.includes(".")) return ctx.next();
    return pathname.startsWith("/vendor/") ? answerToKeep(ctx, staticFiles) : staticFiles(ctx);
  };
}

async function answerToKeep(ctx: Context<State>, staticFiles: Middleware<State>): Promise<Response> {
  const response = await staticFiles(ctx);
  if (response.status === 200) response.headers.set("cache-control", "public, max-age=31536000, immutable");
  return response;
}
