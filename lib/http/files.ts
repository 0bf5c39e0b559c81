import type { Context, Middleware } from "fresh";
import type { State } from "./services.ts";

/**
 * Serves files through `staticFiles`, but asks it only about paths with a dot, which all files have and no id has.
 * What comes from packages has its version in its name, so browsers may keep it for a year.
 */
export function files(staticFiles: Middleware<State>): Middleware<State> {
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
