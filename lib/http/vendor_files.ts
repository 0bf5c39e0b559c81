import type { Context } from "fresh";
import type { State } from "./services.ts";

/** Lets browsers keep fonts and the like for a year: their names carry their version. */
export function keepVendorFiles(ctx: Context<State>): Promise<Response> {
  return ctx.url.pathname.startsWith("/vendor/") ? answerToKeep(ctx) : ctx.next();
}

async function answerToKeep(ctx: Context<State>): Promise<Response> {
  const response = await ctx.next();
  if (response.status === 200) response.headers.set("cache-control", "public, max-age=31536000, immutable");
  return response;
}
