import type { Middleware } from "../types.ts";

/** Redirects every path to the form with, or without, a slash at its end. */
export function trailingSlashes<State>(mode: "always" | "never"): Middleware<State> {
  return (ctx) => {
    const { pathname, search } = ctx.url;
    const hasSlash = pathname.endsWith("/");
    if (pathname === "/" || hasSlash === (mode === "always")) return ctx.next();
    return ctx.redirect((hasSlash ? pathname.slice(0, -1) : `${pathname}/`) + search);
  };
}
