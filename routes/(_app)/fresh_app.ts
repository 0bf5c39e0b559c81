import { App } from "fresh";
import type { Services, State } from "@/lib/services/services.ts";
import AppDocument from "../_app.tsx";
import ErrorDocument from "../_error.tsx";
import { handler as resolveShortUrl } from "../[short]/index.tsx";
import { rootMiddlewares } from "./root_middlewares.tsx";

/**
 * Creates the app that serves the files below `routes/` with the given services. The route of short URLs is registered
 * before them, as Fresh compares a path with the patterns in the order of their registration. It matches no path of
 * another route, and what is set before it applies to all.
 */
export function createFreshApp(services: Services): App<State> {
  return new App<State>()
    .use((ctx) => {
      ctx.state.app = services;
      return ctx.next();
    })
    .use(...rootMiddlewares)
    .appWrapper(AppDocument)
    .onError("*", { component: ErrorDocument })
    .route("/:short", { handler: resolveShortUrl })
    .fsRoutes();
}
